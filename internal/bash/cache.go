package bash

import (
	"maps"
	"sync"
	"sync/atomic"
)

// A cache holds what has been made of texts, for many to read and few to add to.
type cache[V any] struct {
	made  atomic.Pointer[map[string]V]
	write sync.Mutex
}

// find returns what is in the cache for a text.
func (c *cache[V]) find(text string) (v V, ok bool) {
	if made := c.made.Load(); made != nil {
		v, ok = (*made)[text]
	}
	return v, ok
}

// get returns what is in the cache for a text, or makes it.
func (c *cache[V]) get(text string, create func() V) V {
	if v, ok := c.find(text); ok {
		return v
	}
	v := create()
	c.write.Lock()
	defer c.write.Unlock()
	next := map[string]V{}
	if made := c.made.Load(); made != nil {
		next = maps.Clone(*made)
	}
	next[text] = v
	c.made.Store(&next)
	return v
}
