// The guard against clicks that were meant for something else: a button that
// has only just come under the pointer takes none.

const settle = 500; // milliseconds

const bars = new Map(); // bar → where it was, and when it last moved

// guard watches the place of a bar of buttons, until the bar leaves the page.
export function guard(bar) {
  bars.set(bar, { view: null, page: 0, moved: performance.now() });
}

// measure notes which bars have moved. What the person scrolls moves in the
// window and not on the page, and what the browser holds in place moves on the
// page and not in the window: neither counts.
export function measure() {
  for (const [bar, place] of bars) {
    if (!bar.isConnected) {
      if (place.view !== null) bars.delete(bar);
      continue;
    }
    const view = bar.getBoundingClientRect().top;
    const page = view + scrollY;
    if (place.view === null || (Math.abs(view - place.view) > 2 && Math.abs(page - place.page) > 2)) {
      place.moved = performance.now();
    }
    place.view = view;
    place.page = page;
  }
}

// settled says whether a bar has been where it is for long enough.
export function settled(bar) {
  measure();
  const place = bars.get(bar);
  return place !== undefined && performance.now() - place.moved >= settle;
}

// watch measures whenever what is in root, or the window, changes its form.
export function watch(root) {
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      measure();
    });
  };
  new MutationObserver(soon).observe(root, { childList: true, subtree: true, attributes: true, characterData: true });
  new ResizeObserver(soon).observe(root);
  addEventListener("resize", soon);
  addEventListener("scroll", soon, { passive: true });
}
