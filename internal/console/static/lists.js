// The views beside the asks: recent decisions, rules, approvals, the daemon.

import { el, mono, visible, clock, since, span, count } from "./text.js";
import { request, now } from "./api.js";
import { badge, line, most } from "./parts.js";

const byID = (id) => document.getElementById(id);
const query = (fields) => new URLSearchParams(Object.entries(fields).filter(([, value]) => value));

function failed(error) {
  return el("p", { class: "error", role: "alert" }, visible(error.message), error.hint ? [el("br"), ...visible(error.hint)] : "");
}

// answer says how a person answered, and who it was.
export function answer({ reply, by, message }) {
  const words = { once: "allowed once", always: "allowed for good", reject: "rejected" };
  const how = (Object.hasOwn(words, reply) && words[reply]) || reply || "answered";
  return `${how}${by ? ` by ${by}` : ""}${message ? `: ${message}` : ""}`;
}

// Workspaces are those that were seen, in the order of their first sight, and
// the selects that offer them.
export class Workspaces {
  #seen = new Set();
  #selects = new Map();

  offer(select, changed) {
    this.#selects.set(select, changed);
    select.addEventListener("change", changed);
  }

  add(path) {
    if (!path || this.#seen.has(path) || this.#seen.size >= most) return;
    this.#seen.add(path);
    for (const select of this.#selects.keys()) select.append(el("option", { value: path }, visible(path)));
  }
}

// Decisions is the list of what was decided lately.
export class Decisions {
  #rows = []; // newest first
  #list = el("ul", { class: "decisions" });
  #more = el("button", { type: "button", class: "link" }, "More");
  #said = line("empty", "");
  #workspaces;
  #turn = 0;
  #fresh = []; // came while the list was read

  constructor(workspaces) {
    this.#workspaces = workspaces;
    byID("decisions-list").append(this.#said, this.#list, this.#more);
    this.#more.addEventListener("click", () => this.#load(this.#rows.at(-1)?.id));
    let timer = 0;
    byID("search").addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.load(), 250);
    });
    byID("action").addEventListener("change", () => this.load());
  }

  load() {
    return this.#load();
  }

  async #load(before) {
    const turn = ++this.#turn;
    const limit = before ? most : 50;
    this.#fresh = [];
    try {
      const asked = query({ limit, before, action: byID("action").value, q: byID("search").value.trim() });
      const rows = await request("GET", `/v1/decisions?${asked}`);
      if (turn !== this.#turn) return; // another search came after it
      this.#rows = before ? [...this.#rows, ...rows] : rows;
      if (!before) this.#list.replaceChildren();
      this.#list.append(...rows.map(decision));
      this.#more.hidden = rows.length < limit;
      rows.forEach((row) => this.#workspaces.add(row.workspace));
      const fresh = this.#fresh;
      this.#fresh = [];
      fresh.forEach((row) => this.add(row));
      this.#empty();
    } catch (error) {
      if (turn === this.#turn) this.#said.replaceChildren(failed(error));
    }
  }

  // add shows a decision that was just made, if it is one of those looked for.
  add(row) {
    this.#workspaces.add(row.workspace);
    this.#fresh = [...this.#fresh.slice(-most), row];
    const action = byID("action").value;
    const text = byID("search").value.trim().toLowerCase();
    const words = [row.title, row.reason, row.tool, row.workspace, row.session, row.agent].join("\n").toLowerCase();
    if ((action && action !== row.action) || (text && !words.includes(text))) return;
    const known = this.#rows.findIndex((each) => each.id === row.id);
    if (known >= 0) { // a reply came to it
      this.#rows[known] = row;
      this.#list.children[known].replaceWith(decision(row));
      return;
    }
    this.#rows.unshift(row);
    this.#list.prepend(decision(row));
    if (this.#rows.length > most) {
      this.#rows.length = most;
      while (this.#list.children.length > most) this.#list.lastElementChild.remove();
      this.#more.hidden = false;
    }
    this.#empty();
  }

  #empty() {
    this.#said.textContent = this.#rows.length > 0 ? "" : "No decision here.";
  }
}

function decision(row) {
  return el(
    "li",
    {},
    el("p", { class: "first" }, badge(row.action, row.action), " ", badge("need", row.tool), " ", mono(row.title)),
    el("p", { class: "by" }, visible(row.reason)),
    row.reply ? el("p", { class: "by" }, "A person: ", visible(answer(row.reply))) : null,
    el(
      "p",
      { class: "source" },
      el("time", { datetime: row.time }, clock(row.time)),
      row.workspace ? [" · ", mono(row.workspace)] : "",
      row.session ? [" · session ", mono(row.session)] : "",
      row.agent ? [" · agent ", mono(row.agent)] : "",
    ),
  );
}

// show fills a view with what is asked of the daemon for the workspace that is
// chosen in select.
async function show(list, select, path, make) {
  const start = select.value;
  if (!start) {
    list.replaceChildren(line("empty", "No workspace was seen yet: one appears here with its first call."));
    return;
  }
  try {
    const data = await request("GET", `${path}?${query({ start })}`);
    if (select.value === start) list.replaceChildren(...make(data ?? [], start));
  } catch (error) {
    list.replaceChildren(failed(error));
  }
}

// Rules shows the layers in force in a workspace.
export class Rules {
  constructor(workspaces) {
    workspaces.offer(byID("rules-start"), () => this.load());
  }

  load() {
    return show(byID("rules-list"), byID("rules-start"), "/v1/rules", (layers) => layers.map(layer));
  }
}

function layer({ name, trust, preset, source, rules }) {
  const rows = rules ?? [];
  const row = (rule) =>
    el("tr", {}, el("td", {}, badge(rule.action, rule.action)), el("td", {}, mono(rule.permission)), el("td", {}, mono(rule.pattern)), el("td", {}, mono(rule.source)));
  const body = el("tbody", {}, rows.slice(0, most).map(row));
  const head = ["Action", "Permission", "Pattern", "Where"].map((text) => el("th", { scope: "col" }, text));
  const table = el("table", {}, el("thead", {}, el("tr", {}, head)), body);
  const more = el("button", { type: "button", class: "link", hidden: rows.length <= most }, "More");
  more.addEventListener("click", () => {
    const from = body.children.length;
    body.append(...rows.slice(from, from + most).map(row));
    more.hidden = body.children.length >= rows.length;
  });
  return el(
    "section",
    { class: "layer", "aria-label": `Layer ${name}` },
    el("h3", {}, visible(name), preset ? [" ", badge("need", `preset ${preset}`)] : ""),
    el("p", { class: "source" }, mono(source), trust ? `, trusted as ${trust}` : ""),
    rows.length > 0 ? el("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Rules of ${name}` }, table) : line("empty", "No rules."),
    more,
  );
}

// Approvals shows what people allowed for longer, and takes it back.
export class Approvals {
  #say;

  constructor(workspaces, say) {
    this.#say = say;
    workspaces.offer(byID("approvals-start"), () => this.load());
  }

  load() {
    return show(byID("approvals-list"), byID("approvals-start"), "/v1/approvals", (rows, start) => {
      if (rows.length === 0) return [line("empty", "Nobody has allowed anything for longer here.")];
      const list = el("ul", { class: "decisions" });
      let shown = 0;
      const more = el("button", { type: "button", class: "link" }, "More");
      const next = () => {
        list.append(...rows.slice(shown, shown + most).map((row) => this.#row(row, start)));
        shown += most;
        more.hidden = shown >= rows.length;
      };
      more.addEventListener("click", next);
      next();
      return [list, more];
    });
  }

  #row(row, start) {
    const { permission, pattern, scope, session, expires, source } = row;
    const ends = since(expires);
    const scopes = { session: `session ${session}`, project: "this project", global: "everywhere" };
    const revoke = el("button", { type: "button" }, "Revoke");
    const sure = el("button", { type: "button", class: "reject" }, "Yes, revoke it");
    const keep = el("button", { type: "button" }, "Keep it");
    const confirm = el("span", { class: "confirm", hidden: true }, sure, " ", keep);
    const error = el("p", { class: "error", role: "alert" });
    const name = el("span", { id: `approval-${++serial}` }, badge("need", permission), " ", mono(pattern));
    for (const button of [revoke, sure, keep]) button.setAttribute("aria-describedby", name.id);
    const ask = (open) => {
      confirm.hidden = !open;
      revoke.hidden = open;
      (open ? keep : revoke).focus();
    };
    revoke.addEventListener("click", () => ask(true));
    keep.addEventListener("click", () => ask(false));
    sure.addEventListener("click", async () => {
      sure.disabled = true;
      try {
        await request("DELETE", "/v1/approvals", { permission, pattern, scope, start, session: session ?? "" });
        this.#say(`Revoked: ${permission} ${pattern}`);
        await this.load();
        byID("approvals-title").focus();
      } catch (problem) {
        sure.disabled = false;
        error.replaceChildren(...visible(problem.message));
      }
    });
    const until = ends === null ? "for good" : `until ${clock(expires)} (${span(ends - now())})`;
    return el(
      "li",
      { class: "approval" },
      el("div", {}, el("p", { class: "first" }, name), el("p", { class: "source" }, visible(scopes[scope] ?? scope), `, ${until}`, source ? [" · ", mono(source)] : ""), error),
      el("div", { class: "bar" }, revoke, confirm),
    );
  }
}

let serial = 0;

// Status shows how the daemon is, and warns of a problem on every view.
export class Status {
  #turn = 0;

  async load() {
    const turn = ++this.#turn;
    try {
      const status = await request("GET", "/v1/status");
      if (turn === this.#turn) this.set(status); // and not if an event came after it
    } catch (error) {
      byID("status-list").replaceChildren(failed(error));
    }
  }

  set(status) {
    this.#turn++;
    const { problem } = status;
    const banner = byID("problem");
    banner.hidden = !problem;
    banner.replaceChildren();
    if (problem) banner.append(el("strong", {}, "The last change could not be read, so the rules before it stay in force. "), ...visible(problem));
    const started = since(status.started);
    const rows = [
      ["Version", status.version], ["Process", status.pid],
      ["Runs since", started === null ? "" : `${clock(status.started)} (${span(now() - started)})`],
      ["Socket", status.socket], ["Address", status.address], ["Settings", status.config],
      ["Pending", status.pending === undefined ? "" : count(status.pending, "ask")],
      ["Listeners", status.listeners], ["Attended", status.attended === undefined ? "" : status.attended ? "yes: asks wait though nobody listens" : "while somebody listens"],
      ["Reloads", status.reloads], ["Problem", problem || "none"],
    ];
    const text = (value) => (typeof value === "object" ? JSON.stringify(value, null, 2) : String(value));
    const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
    byID("status-list").replaceChildren(
      el("dl", { class: "status" }, shown.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, visible(text(value), { lines: true }))))),
    );
  }
}
