package server

import (
	"maps"
	"slices"
)

// Patterns returns those of all routes, such as "GET /v1/pending/{id}".
func (s *Server) Patterns() []string { return slices.Sorted(maps.Keys(s.handlers())) }
