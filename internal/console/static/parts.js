// Small pieces of the page that more than one view has.

import { el, visible } from "./text.js";

export const most = 200; // rows of a list, before "more"

// badge is a short word in a frame.
export function badge(kind, text) {
  return el("span", { class: `badge ${kind}` }, visible(text));
}

// line is a paragraph.
export function line(kind, text) {
  return el("p", { class: kind || false }, text);
}

// bounded fills a list with what show makes of the first rows, and has a
// button for as many more.
export function bounded(list, rows, show, step = most) {
  let shown = 0;
  const more = el("button", { type: "button", class: "link" });
  const next = () => {
    list.append(...rows.slice(shown, shown + step).map(show));
    shown = Math.min(rows.length, shown + step);
    more.textContent = `Show ${Math.min(step, rows.length - shown)} more of ${rows.length - shown}`;
    more.hidden = shown >= rows.length;
  };
  more.addEventListener("click", next);
  next();
  return rows.length > step ? el("div", {}, list, more) : list;
}
