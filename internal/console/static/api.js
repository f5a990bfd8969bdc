// The daemon's API: the token, requests, and the stream of events.

const key = "permctl.token";

// An APIError is an answer of the daemon that is no success, or none (status 0).
export class APIError extends Error {
  constructor(status, message, hint) {
    super(message);
    this.status = status;
    this.hint = hint ?? "";
  }
}

// token is what requests carry. It lives as long as the tab.
export const token = {
  get: () => sessionStorage.getItem(key) ?? "",
  set: (value) => sessionStorage.setItem(key, value),
  clear: () => sessionStorage.removeItem(key),

  // take moves the token from the address to where it is kept, and says
  // whether there was one.
  take() {
    const match = /(?:^#|&)token=([^&]*)/.exec(location.hash);
    if (!match) return false;
    history.replaceState(null, "", location.pathname);
    let value = match[1];
    try {
      value = decodeURIComponent(value);
    } catch {
      // It is taken as it stands.
    }
    if (value) this.set(value);
    return value !== "";
  },

  // read finds the token in what a person pasted: an address, or the token.
  read(text) {
    const match = /[#&]token=([^&\s]+)/.exec(text);
    const value = match ? match[1] : text.trim();
    return /^[\x21-\x7e]+$/.test(value) ? value : "";
  },
};

const headers = (more) => ({ Authorization: "Bearer " + token.get(), ...more });

// skew is how far the daemon's clock is ahead of this one's, in milliseconds.
let skew = 0;
export const now = () => Date.now() + skew;

function noteClock(response) {
  const time = Date.parse(response.headers.get("Date") ?? "");
  if (Number.isNaN(time)) return;
  const ahead = time - Date.now();
  skew = Math.abs(ahead) > 2500 ? ahead : 0; // the header has whole seconds
}

// request asks the daemon, and returns the JSON of its answer, or null for
// none. Whatever is no success is an [APIError].
export async function request(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: headers(body === undefined ? {} : { "Content-Type": "application/json" }),
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      signal: AbortSignal.timeout(20000),
    });
  } catch {
    throw new APIError(0, "The daemon does not answer.", "See whether it runs with permctl status.");
  }
  noteClock(response);
  const text = await response.text().catch(() => "");
  let data = null;
  try {
    data = text === "" ? null : JSON.parse(text);
  } catch {
    if (response.ok) throw new APIError(response.status, "The daemon's answer is no JSON.");
  }
  if (!response.ok) throw new APIError(response.status, data?.error ?? `The daemon answered ${response.status}.`, data?.hint);
  return data;
}

// A Parser takes a stream of server-sent events apart, as the HTML standard
// says. Its listener gets an object with type, data and id.
export class Parser {
  #rest = "";
  #data = [];
  #type = "";
  #listener;
  #skipLF = false;

  constructor(listener, id = "") {
    this.#listener = listener;
    this.id = id;
  }

  feed(text) {
    if (text === "") return;
    if (this.#skipLF && text.startsWith("\n")) text = text.slice(1);
    this.#skipLF = false;
    this.#rest += text;
    let from = 0;
    const end = /\r\n|\r|\n/g;
    for (let match = end.exec(this.#rest); match; match = end.exec(this.#rest)) {
      this.#line(this.#rest.slice(from, match.index));
      from = end.lastIndex;
      // The other half of a CR LF may come with the next piece.
      if (match[0] === "\r" && from === this.#rest.length) this.#skipLF = true;
    }
    this.#rest = this.#rest.slice(from);
  }

  #line(line) {
    if (line === "") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    let value = colon < 0 ? "" : line.slice(colon + 1);
    if (value.startsWith(" ")) value = value.slice(1);
    if (field === "data") this.#data.push(value);
    else if (field === "event") this.#type = value;
    else if (field === "id" && !value.includes("\0")) this.id = value;
  }

  #dispatch() {
    const event = { type: this.#type || "message", data: this.#data.join("\n"), id: this.id };
    const some = this.#data.length > 0;
    this.#data = [];
    this.#type = "";
    if (some) this.#listener(event);
  }
}

const silence = 40000; // the daemon says something every 15 seconds

// A Stream reads the events until it is stopped, and connects again when the
// connection ends, after ever longer pauses. handlers has opened(), event(type,
// data), state(name, milliseconds until the next try), and refused(error).
export class Stream {
  #handlers;
  #last = "";
  #failures = 0;
  #abort = null;
  #wake = null;
  #running = false;

  constructor(handlers) {
    this.#handlers = handlers;
  }

  async start() {
    if (this.#running) return;
    this.#running = true;
    while (this.#running) {
      this.#handlers.state("connecting");
      const error = await this.#read();
      if (!this.#running) break;
      if (error?.status === 401 || error?.status === 403) {
        this.#running = false;
        this.#handlers.refused(error);
        break;
      }
      const pause = Math.min(30000, 500 * 2 ** this.#failures++) * (0.8 + 0.4 * Math.random());
      this.#handlers.state("lost", pause);
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, pause);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  // retry ends the pause before the next try.
  retry() {
    this.#wake?.();
  }

  stop() {
    this.#running = false;
    this.#abort?.abort();
    this.#wake?.();
  }

  async #read() {
    this.#abort = new AbortController();
    const abort = this.#abort;
    let timer = setTimeout(() => abort.abort(), silence);
    try {
      const response = await fetch("/v1/events", {
        headers: headers({ Accept: "text/event-stream", ...(this.#last ? { "Last-Event-ID": this.#last } : {}) }),
        cache: "no-store",
        credentials: "omit",
        redirect: "error",
        signal: abort.signal,
      });
      noteClock(response);
      if (!response.ok) {
        const body = await response.json().catch(() => ({}));
        return new APIError(response.status, body.error ?? `The daemon answered ${response.status}.`, body.hint);
      }
      this.#failures = 0;
      this.#handlers.state("live");
      this.#handlers.opened();
      const parser = new Parser((event) => {
        this.#last = event.id;
        let data;
        try {
          data = JSON.parse(event.data);
        } catch {
          return; // of a version that this page does not know
        }
        this.#handlers.event(event.type, data);
      }, this.#last);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return null;
        clearTimeout(timer);
        timer = setTimeout(() => abort.abort(), silence);
        parser.feed(value);
      }
    } catch {
      return null; // the connection is gone
    } finally {
      clearTimeout(timer);
    }
  }
}
