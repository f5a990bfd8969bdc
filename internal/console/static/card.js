// A pending request as a card: what is asked, why, and the answers to it.

import { el, visible, mono, marked, hasHidden, span, since, clock, count } from "./text.js";
import { reasons, phrase, doing } from "./facts.js";
import { guard, settled } from "./guard.js";
import { bounded, badge, line } from "./parts.js";
import { offers } from "./offers.js";

let serial = 0;

// A Card shows one request. deps has reply(card, body), preview(id, offer),
// say(text) and now().
export class Card {
  #deps;
  #times;
  #field;
  #bar;
  #error;
  #others;
  #offers;
  #always = null;
  #reject;

  // grace is until when keys answer nothing, because the focus came here by
  // itself.
  grace = 0;

  busy = false;

  constructor(ask, deps) {
    this.ask = ask;
    this.#deps = deps;
    const id = `ask-${++serial}`;
    this.node = el(
      "article",
      { class: "card", id, tabindex: 0, "aria-label": this.#label() },
      this.#head(),
      this.#call(),
      this.#facts(),
      this.#answers(id),
    );
    guard(this.#bar);
    this.tick();
  }

  get title() {
    return this.ask.title || this.ask.text || (this.ask.patterns ?? []).join(", ") || this.ask.permission;
  }

  get name() {
    return doing(this.ask);
  }

  // focus goes to the card. With grace, keys answer nothing for a moment.
  focus(grace = 0) {
    this.grace = performance.now() + grace;
    this.node.focus({ preventScroll: true });
    this.node.scrollIntoView({ block: "nearest" });
  }

  // tick brings times up to date.
  tick() {
    const asked = since(this.ask.asked);
    const deadline = since(this.ask.deadline);
    const now = this.#deps.now();
    const left = deadline === null ? Infinity : deadline - now;
    const [ago, out] = this.#times;
    ago.textContent = asked === null ? "" : `asked ${span(now - asked)} ago`;
    out.textContent = left === Infinity ? "waits for an answer" : left > 0 ? `runs out in ${span(left)}` : "has run out";
    out.classList.toggle("soon", left < 15000);
    return left;
  }

  // companions says how many other requests of its session a rejection takes
  // with it.
  companions(n) {
    this.#others.textContent = n > 0 ? `Reject also rejects ${count(n, "other ask", "other asks")} of this session.` : "";
  }

  // fail shows why an answer was not taken.
  fail(message, hint = "") {
    this.#lock(false);
    this.#error.replaceChildren(...visible(message), hint ? el("br") : "", ...visible(hint));
  }

  // key answers a key that was pressed on the card, and says whether it meant
  // something.
  key(name) {
    if (name === "m") {
      this.#field.focus();
      return true;
    }
    if (!"oar".includes(name)) return false;
    if (performance.now() < this.grace) return true;
    if (name === "o") this.#send({ reply: "once" });
    if (name === "r") this.#rejects();
    if (name === "a") this.#alwaysKey();
    return true;
  }

  #alwaysKey() {
    if (!this.#offers) {
      this.#deps.say("There is no Always for this one.");
    } else if (this.#always.getAttribute("aria-expanded") === "false") {
      this.#toggle();
      this.#offers.node.scrollIntoView({ block: "nearest" });
      this.grace = performance.now() + 500;
      this.#deps.say("Look at the patterns, then press a again to save them.");
    } else {
      this.#saves();
    }
  }

  #label() {
    const title = this.title.length > 200 ? `${this.title.slice(0, 200)}…` : this.title;
    return `${this.name}: ${el("span", {}, visible(title)).textContent}`;
  }

  #head() {
    const { ask } = this;
    this.#times = [el("span"), el("strong")];
    const about = el("dl", { class: "about" });
    const fact = (name, value) => value && about.append(el("div", {}, el("dt", {}, name), el("dd", {}, mono(value))));
    fact("Workspace", ask.workspace);
    if (ask.metadata?.cwd && ask.metadata.cwd !== ask.workspace) fact("In", ask.metadata.cwd);
    fact("Session", ask.sessionID);
    fact("Agent", ask.agent);
    return el(
      "header",
      {},
      el("h3", {}, visible(this.name)),
      el("p", { class: "needs" }, el("span", { class: "unseen" }, "Needs "), (ask.needs ?? [ask.permission]).map((need) => badge("need", need))),
      el("p", { class: "times", title: clock(ask.asked) }, this.#times[0], " · ", this.#times[1]),
      about,
    );
  }

  #call() {
    const { ask } = this;
    const text = ask.text || null;
    this.because = reasons(ask);
    this.actions = (ask.commands ?? []).map(({ asks }) => (asks ? "ask" : ""));
    const parts = [];
    if (text !== null) {
      const spans = (ask.commands ?? []).map(({ start, end }, i) => ({ start, end, action: this.actions[i] }));
      parts.push(box("The whole command", text, marked(text, spans.filter((each) => each.action))));
    } else {
      parts.push(el("p", { class: "title" }, mono(this.title)));
    }
    const rest = Object.entries(ask.metadata?.input ?? {})
      .filter(([, value]) => value !== text)
      .sort(([a], [b]) => place(a) - place(b));
    const fields = rest.map(([name, value]) => {
      const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      return el("div", {}, el("dt", {}, visible(name)), el("dd", {}, box(name, shown, visible(shown, { lines: true }))));
    });
    if (text !== null && fields.length > 0) {
      parts.push(el("details", {}, el("summary", {}, "The rest of the call"), el("dl", { class: "input" }, fields)));
    } else if (fields.length > 0) {
      parts.push(el("dl", { class: "input" }, fields));
    }
    const all = text ?? JSON.stringify(ask.metadata?.input ?? {});
    if (hasHidden(all)) {
      parts.push(line("warn", "It has characters that cannot be seen, or that change how others are seen. They are shown in frames."));
    }
    return parts;
  }

  #facts() {
    const { ask } = this;
    const parts = [el("h4", {}, "Why you are asked"), bounded(el("ul", { class: "why" }), this.because, why, 20)];
    if (this.because.length === 0) parts.splice(1, 1, el("p", {}, visible(ask.decision?.reason || "The daemon gives no reason.")));
    const columns = [el("div", { class: "part" }, parts)];
    const commands = (ask.commands ?? []).map((command, i) => ({ command, action: this.actions[i] }));
    const said = [];
    if (commands.length > 0) said.push(el("h4", {}, "What it does"), ...this.#commands(commands));
    if (ask.paths?.length > 0) {
      said.push(el("h4", {}, "What it touches"), bounded(el("ul", { class: "paths" }), ask.paths, touched, 20));
    }
    if (said.length > 0) columns.push(el("div", { class: "part" }, said));
    return el("div", { class: "facts" }, columns);
  }

  #commands(commands) {
    const whole = this.ask.text?.trim();
    const show = (each) => segment(each, commands.length === 1 && each.command.text === whole);
    const list = (some) => bounded(el("ul", { class: "segments" }), some, show, 50);
    const deciding = commands.filter(({ action }) => action);
    if (commands.length <= 5 || deciding.length === 0) return [list(commands)];
    const rest = commands.filter(({ action }) => !action);
    const more = rest.length > 0 && el("details", {}, el("summary", {}, `${count(rest.length, "command")} that no one has to decide`), list(rest));
    return [list(deciding), more || null];
  }

  #answers(id) {
    const button = (key, kind, text, act) =>
      el("button", { type: "button", class: kind, "aria-keyshortcuts": key, onclick: (event) => this.#click(event, act) }, text);
    this.#field = el("input", { id: `${id}-message`, type: "text", maxlength: 4000, autocomplete: "off", spellcheck: "true" });
    this.#field.addEventListener("keydown", (event) => {
      if (event.isComposing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      if (event.key === "Enter") this.#reject.focus();
      else this.focus();
    });
    this.#reject = button("r", "reject", "Reject", () => this.#rejects());
    const buttons = [button("o", "once", "Allow once", () => this.#send({ reply: "once" }))];
    const below = [];
    if (this.ask.offers?.length > 0) {
      this.#offers = offers(this.ask, id, {
        preview: (offer) => this.#deps.preview(this.ask.id, offer),
        save: (event) => this.#click(event, () => this.#saves(), this.#offers.bar),
        cancel: () => this.#toggle(),
      });
      guard(this.#offers.bar);
      this.#always = button("a", "always", "Always allow…", () => this.#toggle());
      this.#always.setAttribute("aria-expanded", "false");
      this.#always.setAttribute("aria-controls", this.#offers.node.id);
      buttons.push(this.#always);
      below.push(this.#offers.node);
    } else {
      below.push(line("", "There is no “Always” for this one: nothing of it can be saved as a pattern that means only this."));
    }
    buttons.push(this.#reject);
    this.#bar = el("div", { class: "bar", role: "group", "aria-label": "Answer" }, buttons);
    this.#others = line("others", "");
    this.#error = el("p", { class: "error", role: "alert" });
    return el(
      "div",
      { class: "answers" },
      el("label", { for: this.#field.id }, "Message to the agent ", el("small", {}, "(goes with Reject)")),
      this.#field,
      this.#bar,
      this.#error,
      below,
      this.#others,
    );
  }

  // A click counts only if the buttons have not moved just now.
  #click(event, act, bar = this.#bar) {
    if (event.detail > 0 && !settled(bar)) {
      this.#deps.say("The page moved under the pointer, so that click was not taken. Click again.");
      return;
    }
    act();
  }

  #toggle() {
    const open = this.#always.getAttribute("aria-expanded") === "false";
    this.#always.setAttribute("aria-expanded", String(open));
    this.#offers.node.hidden = !open;
    if (!open && !this.node.contains(document.activeElement)) this.focus();
  }

  #saves() {
    const body = this.#offers.body();
    if (body.offers.length === 0) this.fail("No pattern is ticked: tick one, or allow once.");
    else this.#send({ reply: "always", ...body });
  }

  #rejects() {
    const message = this.#field.value.trim();
    this.#send(message ? { reply: "reject", message } : { reply: "reject" });
  }

  #send(body) {
    if (this.busy) return;
    this.#lock(true);
    this.#error.replaceChildren();
    this.#deps.reply(this, { ...body, by: "console" });
  }

  #lock(busy) {
    this.busy = busy;
    this.node.setAttribute("aria-busy", String(busy));
    for (const button of this.node.querySelectorAll(".bar button")) button.setAttribute("aria-disabled", String(busy));
  }
}

// place is where a field of a call stands among the others: what it is about
// first, and the old before the new.
function place(field) {
  const order = [/path|file|url|query|pattern/i, /old/i, /new|content|patch/i];
  const at = order.findIndex((words) => words.test(field));
  return at < 0 ? order.length : at;
}

// box shows a long text that scrolls, and that can be opened to its length.
function box(name, text, nodes) {
  const pre = el("pre", { class: "text", tabindex: 0, role: "group", "aria-label": name }, nodes);
  const lines = text.split("\n").length;
  if (lines < 12 && text.length < 900) return pre;
  const open = el("button", { type: "button", class: "link", "aria-expanded": "false" }, `Show all of it: ${count(lines, "line")}, ${count(text.length, "character")}`);
  open.addEventListener("click", () => {
    const all = pre.classList.toggle("all");
    open.setAttribute("aria-expanded", String(all));
  });
  return [pre, open];
}

// why shows what stands between a request and an allow.
function why({ kind, action, permission, subject, reason, name, rule }) {
  const item = el("li", { class: action === "deny" ? "deny" : "ask" });
  if (subject || permission) item.append(el("p", {}, badge("need", permission || kind), " ", subject ? mono(subject) : ""));
  if (kind === "rule" && rule) {
    item.append(
      el("p", { class: "by" }, `${rule.action === "deny" ? "denied" : "asked"} by `, mono(`${rule.permission}: ${JSON.stringify(rule.pattern)} → ${rule.action}`)),
      el("p", { class: "source" }, `${rule.layer} layer, `, mono(rule.source)),
    );
  } else if (kind === "rule") {
    item.append(el("p", { class: "by" }, "no rule speaks of it, so you are asked"));
  } else {
    item.append(
      el("p", { class: "by" }, kind === "floor" ? "floor " : "policy ", mono(name), ": ", visible(reason)),
      kind === "floor" ? line("source", "No rule goes below a floor, so only “once” can answer it.") : "",
    );
  }
  return item;
}

function segment({ command, action }, whole) {
  const item = el("li", { class: action || "plain" });
  if (!whole) item.append(el("p", {}, mono(command.text)));
  const facts = el("p", { class: "badges" });
  if (action) facts.append(badge(action, action === "deny" ? "denied" : "asked for"));
  for (const effect of command.effects ?? []) facts.append(badge("effect", phrase(effect)));
  for (const hazard of command.hazards ?? []) facts.append(badge("hazard", `hazard: ${phrase(hazard)}`));
  if (command.unparsed) facts.append(badge("hazard", `not understood: ${command.unparsed}`));
  if (facts.childNodes.length === 0) facts.append(badge("effect", "no known effect"));
  item.append(facts);
  const detail = (name, values) => values?.length > 0 && item.append(el("p", { class: "detail" }, `${name} `, values.map((value, i) => [i ? ", " : "", mono(phrase(value))])));
  detail("files", command.files);
  detail("run by", command.wrappers);
  if (command.dir) detail("in", [command.dir]);
  return item;
}

function touched({ path, access, inside }) {
  return el(
    "li",
    {},
    badge(access === "read" ? "effect" : "write", access),
    " ",
    mono(path),
    " ",
    inside ? el("small", {}, "inside the workspace") : badge("hazard", "outside the workspace"),
  );
}
