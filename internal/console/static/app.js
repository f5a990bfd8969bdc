// The console: the token, the views, the events and the keys.

import { el, visible, span } from "./text.js";
import { token, request, Stream } from "./api.js";
import { watch } from "./guard.js";
import { Asks } from "./asks.js";
import { Workspaces, Decisions, Rules, Approvals, Status } from "./lists.js";

const byID = (id) => document.getElementById(id);

// say tells what happened: a line for a while, and a text for screen readers.
let quiet = 0;
function say(text) {
  byID("live").replaceChildren(el("p", {}, visible(text)));
  const toast = byID("toast");
  toast.replaceChildren(el("p", {}, visible(text)));
  clearTimeout(quiet);
  quiet = setTimeout(() => toast.replaceChildren(), 6000);
}

const workspaces = new Workspaces();
const asks = new Asks(say, (path) => workspaces.add(path));
const status = new Status();
const decisions = new Decisions(workspaces);
const views = { asks: null, decisions, rules: new Rules(workspaces), approvals: new Approvals(workspaces, say), status };

let next = 0; // when the stream tries again
let state = "";

function showState() {
  const left = next - performance.now();
  const texts = { live: "live", connecting: "connecting…", lost: left > 500 ? `not connected, next try in ${span(left)}` : "not connected" };
  const text = texts[state] ?? "";
  if (byID("state").textContent !== text) byID("state").textContent = text;
  byID("connection").className = state;
  byID("retry").hidden = state !== "lost";
}

const handlers = {
  "permission.asked": (data) => asks.asked(data),
  "permission.replied": (data) => asks.replied(data),
  decision: (data) => decisions.add(data),
  status: (data) => status.set(data),
  reset: () => readAll(),
};

let was = "";
const stream = new Stream({
  opened() {
    // What waits is read again in any case: the events before the connection
    // may be those of another daemon.
    asks.load().catch(trouble);
    if (was === "lost") say("Connected again.");
    was = "live";
  },
  event: (type, data) => handlers[type]?.(data),
  state(name, pause = 0) {
    if (name === "lost" && was === "live") say("The connection to the daemon is lost.");
    if (name === "lost") was = "lost";
    state = name;
    next = performance.now() + pause;
    showState();
  },
  refused: trouble,
});

function readAll() {
  return Promise.all([asks.load(), decisions.load(), status.load(), view.load?.()]).catch(trouble);
}

// trouble is an answer that concerns the whole page: without a token that is
// taken, there is nothing to show.
function trouble(error) {
  if (error?.status === 401) {
    token.clear();
    locked("The daemon did not take the token: it may have been started again since.");
  } else if (error?.status === 403) {
    locked(`${error.message} ${error.hint}`);
  } else {
    say(error.message);
  }
}

function locked(why) {
  stream.stop();
  state = "";
  showState();
  byID("gate-why").replaceChildren(...visible(why));
  byID("gate").hidden = false;
  byID("nav").hidden = true;
  for (const name of Object.keys(views)) byID(name).hidden = true;
  document.title = "permctl";
  byID("token").focus();
}

let view = {};

// go shows the view that the address names.
function go() {
  const named = location.hash.slice(1);
  const name = Object.hasOwn(views, named) ? named : "asks";
  view = views[name] ?? {};
  for (const each of Object.keys(views)) byID(each).hidden = each !== name;
  for (const link of byID("nav").children) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  view.load?.();
  scrollTo(0, 0);
}

// open begins, if there is a token that the daemon takes.
async function open() {
  if (!token.get()) {
    locked("");
    return;
  }
  try {
    status.set(await request("GET", "/v1/status"));
  } catch (error) {
    if (error.status === 401 || error.status === 403) {
      trouble(error);
      return;
    }
    say(error.message);
  }
  byID("gate").hidden = true;
  byID("nav").hidden = false;
  go();
  decisions.load(); // for the workspaces in it
  stream.start();
}

byID("enter").addEventListener("click", () => {
  const value = token.read(byID("token").value);
  byID("token").value = "";
  if (!value) {
    byID("gate-why").textContent = "That is no address with a token, and no token.";
    return;
  }
  token.set(value);
  location.reload();
});
byID("token").addEventListener("keydown", (event) => event.key === "Enter" && byID("enter").click());
byID("retry").addEventListener("click", () => stream.retry());
byID("close").addEventListener("click", () => byID("help").close());
addEventListener("online", () => stream.retry());
addEventListener("hashchange", () => {
  if (token.take()) location.reload();
  else if (byID("gate").hidden) go();
});

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byID("main").focus();
});

const typing = (target) =>
  target.closest("select, textarea, [contenteditable]") || (target.matches("input") && !["checkbox", "radio"].includes(target.type));

// Keys mean something on a card in focus only, beside those that go to one.
addEventListener("keydown", (event) => {
  const { key, target } = event;
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (byID("asks").hidden || byID("help").open || !(target instanceof Element) || typing(target)) return;
  const card = asks.focused();
  if (key === "?") byID("help").showModal();
  else if (key === "j" || (key === "ArrowDown" && target.matches(".card"))) asks.move(1);
  else if (key === "k" || (key === "ArrowUp" && target.matches(".card"))) asks.move(-1);
  else if (!card || event.repeat || !card.key(key)) return;
  event.preventDefault();
});

setInterval(showState, 1000);
watch(document.body);
token.take();
open();
