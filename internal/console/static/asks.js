// The requests that wait, as a list of cards, and what becomes of them.

import { el, mono, visible, since, clock, count } from "./text.js";
import { request, now } from "./api.js";
import { Card } from "./card.js";
import { answer } from "./lists.js";

const byID = (id) => document.getElementById(id);
const step = 50; // cards at once
const kept = 8; // answers in the log

// Asks keeps the cards in the order in which they were asked.
export class Asks {
  #waiting = new Map(); // id → the request, and when it was asked
  #cards = new Map(); // id → Card, of those that are shown
  #settled = new Set(); // ids that are answered, so that a list that is older brings none back
  #limit = step;
  #say;
  #seen;
  #late = 0;

  constructor(say, seen) {
    this.#say = say;
    this.#seen = seen;
    byID("more").addEventListener("click", () => {
      this.#limit += step;
      this.#show();
    });
    setInterval(() => this.#tick(), 1000);
  }

  // load reads the list of what waits.
  async load() {
    const before = new Set(this.#waiting.keys());
    const list = (await request("GET", "/v1/pending")) ?? [];
    const there = new Set(list.map((ask) => ask.id));
    for (const ask of list) this.#add(ask);
    for (const id of before) {
      if (!there.has(id) && !this.#cards.get(id)?.busy) this.#gone(id, "no longer waits");
    }
    this.#show();
  }

  asked(ask) {
    if (!this.#add(ask)) return;
    this.#show();
    const card = this.#cards.get(ask.id);
    const what = card ? `${card.name}: ${card.title}` : ask.title;
    this.#say(`New ask. ${what}. ${count(this.#waiting.size, "ask waits", "asks wait")}.`);
  }

  replied(event) {
    const { requestID: id } = event;
    if (this.#cards.get(id)?.busy) return; // the answer to this page's own reply says it
    this.#gone(id, answer(event), event.reply);
    this.#show();
  }

  // move puts the focus on the card that is by cards after the one in focus.
  move(by) {
    const cards = this.#ordered();
    if (cards.length === 0) return;
    const at = cards.findIndex((card) => card.node.contains(document.activeElement));
    const next = at < 0 ? (by > 0 ? 0 : cards.length - 1) : Math.min(cards.length - 1, Math.max(0, at + by));
    cards[next].focus();
  }

  // focused is the card in focus.
  focused() {
    return this.#ordered().find((card) => card.node.contains(document.activeElement));
  }

  #ordered() {
    return [...byID("cards").children].map((node) => this.#cards.get(node.dataset.id));
  }

  #add(ask) {
    if (this.#waiting.has(ask.id) || this.#settled.has(ask.id)) return false;
    this.#waiting.set(ask.id, { ask, at: since(ask.asked) ?? 0 });
    this.#seen(ask.workspace);
    return true;
  }

  // gone takes a request off the list, and notes what became of it.
  #gone(id, how, reply = "") {
    this.#settled.add(id);
    if (this.#settled.size > 2000) this.#settled.delete(this.#settled.values().next().value);
    const ask = this.#waiting.get(id)?.ask;
    if (!ask) return;
    this.#waiting.delete(id);
    const title = ask.title || ask.permission;
    const kind = { once: "allow", always: "allow", reject: "deny" }[reply] ?? "effect";
    const log = byID("log");
    log.prepend(el("li", { class: kind }, mono(title), " ", visible(how), " ", el("small", {}, clock(new Date(now())))));
    while (log.children.length > kept) log.lastElementChild.remove();
    byID("answered").hidden = false;
    this.#say(`${title}: ${how}`);
  }

  // show brings the page in line with what waits. Cards that stay are not
  // touched, and none gets the focus.
  #show() {
    const order = (a, b) => a.at - b.at || (a.ask.id < b.ask.id ? -1 : 1);
    const all = [...this.#waiting.values()].sort(order).map(({ ask }) => ask);
    const shown = all.slice(0, this.#limit);
    const ids = new Set(shown.map((ask) => ask.id));
    const list = byID("cards");
    for (const [id, card] of this.#cards) {
      if (ids.has(id)) continue;
      const lost = card.node.contains(document.activeElement);
      card.node.remove();
      this.#cards.delete(id);
      if (lost) byID("asks-title").focus({ preventScroll: true }); // and not another card: a key that is on its way would answer it
    }
    shown.forEach((ask, i) => {
      let card = this.#cards.get(ask.id);
      if (!card) {
        card = new Card(ask, { reply: (...args) => this.#reply(...args), preview, say: this.#say, now });
        card.node.dataset.id = ask.id;
        this.#cards.set(ask.id, card);
      }
      if (list.children[i] !== card.node) list.insertBefore(card.node, list.children[i] ?? null);
    });
    const sessions = Map.groupBy(all, (ask) => ask.sessionID);
    for (const card of this.#cards.values()) card.companions(sessions.get(card.ask.sessionID).length - 1);
    const n = all.length;
    document.title = n > 0 ? `(${n}) permctl` : "permctl";
    byID("waiting").hidden = n === 0;
    byID("waiting").replaceChildren(String(n), el("span", { class: "unseen" }, " waiting"));
    byID("none").hidden = n > 0;
    byID("more").hidden = shown.length === n;
    byID("more").textContent = `Show ${Math.min(step, n - shown.length)} more of ${n - shown.length}`;
  }

  async #reply(card, body) {
    const { id } = card.ask;
    try {
      const result = await request("POST", `/v1/pending/${encodeURIComponent(id)}/reply`, body);
      card.busy = false;
      this.#done(card, says(body, result), body.reply);
      for (const other of result?.released ?? []) this.#gone(other, "allowed by the same answer", "always");
      for (const other of result?.rejected ?? []) this.#gone(other, "rejected with it", "reject");
      this.#show();
    } catch (error) {
      if (error.status === 404 || error.status === 409) {
        card.busy = false;
        this.#done(card, `not answered by you: ${error.message}`);
        this.#show();
      } else {
        card.fail(error.message, error.hint);
        this.#say(`Not answered: ${error.message}`);
      }
    }
  }

  // done takes away a card that was answered here, and goes on to the next.
  #done(card, how, reply) {
    const cards = this.#ordered();
    const at = cards.indexOf(card);
    const here = card.node.contains(document.activeElement);
    const next = cards[at + 1] ?? cards[at - 1];
    this.#gone(card.ask.id, how, reply);
    if (here && next) next.focus(500);
  }

  #tick() {
    let late = false;
    for (const card of this.#cards.values()) late = card.tick() < -1000 || late;
    // Their time is up, and no event said so: the daemon knows what became of them.
    if (late && Date.now() - this.#late > 5000) {
      this.#late = Date.now();
      this.load().catch(() => {});
    }
  }
}

const preview = (id, { permission, pattern }) =>
  request("GET", `/v1/pending/${encodeURIComponent(id)}/preview?${new URLSearchParams({ permission, pattern })}`);

// says is what an answer of this page did.
function says(body, result) {
  if (body.reply === "once") return "allowed once by you";
  if (body.reply === "reject") return `rejected by you${body.message ? `: ${body.message}` : ""}`;
  const saved = (result?.saved ?? []).map(({ pattern }) => pattern).join(", ");
  return `allowed by you, and saved: ${saved || "nothing"}`;
}
