// What an "always" would save, to be ticked, with how far and how long it
// holds.

import { el, mono, visible, clock, count } from "./text.js";
import { badge, bounded, line } from "./parts.js";

const scopes = [
  ["session", "This session", "Kept in memory, and gone when the daemon stops."],
  ["project", "This project", "Saved for this workspace."],
  ["global", "Everywhere", "Saved for every project on this machine."],
];

const times = [["", "for good"], ["1h", "for 1 hour"], ["8h", "for 8 hours"], ["168h", "for 1 week"]];

// offers returns the node, the bar of its buttons, and body(), which is what
// a reply has to say of it. does has preview(offer), save(event) and cancel().
export function offers(ask, id, does) {
  const rows = ask.offers.map((offer, i) => row(offer, `${id}-offer-${i}`, does.preview, () => update()));
  const scope = el(
    "fieldset",
    { class: "scope" },
    el("legend", {}, "Where it holds"),
    scopes.map(([value, name, text]) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name: `${id}-scope`, value, checked: value === "project" }),
        el("span", {}, name, el("small", {}, text)),
      ),
    ),
  );
  const time = el("select", { id: `${id}-for` }, times.map(([value, name]) => el("option", { value }, name)));
  const save = el("button", { type: "button", class: "once", onclick: does.save });
  const bar = el("div", { class: "bar" }, save, el("button", { type: "button", onclick: does.cancel }, "Back"));
  const node = el(
    "div",
    { class: "offers", id: `${id}-offers`, hidden: true, role: "group", "aria-label": "Always allow" },
    el("fieldset", {}, el("legend", {}, "What is allowed from now on, without a question"), rows.map(({ node: each }) => each)),
    scope,
    el("p", { class: "for" }, el("label", { for: time.id }, "How long "), time),
    line("source", "A rule that denies still denies, and what a floor asks for is still asked."),
    bar,
  );
  const ticked = () => rows.filter(({ box }) => box.checked).map(({ offer }) => offer);
  const update = () => {
    const n = ticked().length;
    save.textContent = n === 0 ? "Nothing is ticked" : `Save ${count(n, "pattern")} and allow`;
    save.setAttribute("aria-disabled", String(n === 0));
  };
  update();
  return {
    node,
    bar,
    body() {
      const where = node.querySelector(`input[name="${id}-scope"]:checked`).value;
      const some = ticked().map(({ permission, pattern }) => ({ permission, pattern }));
      return { scope: where, ...(time.value ? { for: time.value } : {}), offers: some };
    },
  };
}

function row(offer, id, preview, changed) {
  const box = el("input", { type: "checkbox", id, checked: true, onchange: changed });
  const shown = el("div", { class: "preview", hidden: true, "aria-live": "polite" });
  const look = el("button", { type: "button", class: "link", "aria-expanded": "false", "aria-describedby": `${id}-pattern` }, "What would it match?");
  look.addEventListener("click", async () => {
    const open = look.getAttribute("aria-expanded") === "false";
    look.setAttribute("aria-expanded", String(open));
    shown.hidden = !open;
    if (!open) return;
    shown.replaceChildren(line("", "Looking…"));
    try {
      shown.replaceChildren(...matches(await preview(offer)));
    } catch (error) {
      shown.replaceChildren(el("p", { class: "error" }, visible(error.message)));
    }
  });
  const examples = offer.examples ?? [];
  const node = el(
    "div",
    { class: "offer" },
    el("label", { for: id }, box, el("span", { id: `${id}-pattern` }, badge("need", offer.permission), " ", mono(offer.pattern))),
    examples.length > 0 && el("p", { class: "detail" }, "for example ", examples.slice(0, 6).map((text, i) => [i ? ", " : "", mono(text)])),
    look,
    shown,
  );
  return { node, box, offer };
}

function matches({ examples, past, denied }) {
  const record = (each) => el("li", {}, badge(each.action, each.action), " ", mono(each.title), " ", el("small", {}, clock(each.time)));
  const part = (rows, title) => (rows?.length > 0 ? [line("", title), bounded(el("ul", { class: "records" }), rows, record, 10)] : []);
  const parts = [
    ...(examples?.length > 0 ? [el("p", {}, "It matches ", examples.slice(0, 12).map((text, i) => [i ? ", " : "", mono(text)]))] : []),
    ...part(past, `It would have covered ${count(past?.length ?? 0, "call")} on record:`),
    ...part(denied, `It matches ${count(denied?.length ?? 0, "denied call")}. Where a rule denied, it still would:`),
  ];
  return parts.length > 0 ? parts.flat() : [line("", "Nothing on record matches it.")];
}
