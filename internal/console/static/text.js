// Text from calls, made fit to look at. All of it goes into the page as text:
// nothing here or elsewhere parses markup.

// What cannot be seen, or changes how the text around it is seen: controls,
// formats (bidirectional ones too), separators, blanks that are not the blank,
// and characters that nothing draws.
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{DI}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u2800]/u;

const names = new Map(Object.entries({
  0x00: "NUL", 0x07: "BEL", 0x08: "BS", 0x0b: "VT", 0x0c: "FF", 0x0d: "CR", 0x1b: "ESC", 0x7f: "DEL",
  0xa0: "NBSP", 0xad: "SHY", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI",
  0x2068: "FSI", 0x2069: "PDI", 0x061c: "ALM", 0xfeff: "BOM", 0x2028: "LS", 0x2029: "PS",
}).map(([code, name]) => [Number(code), name]));

// el makes an element. Attributes that are false or null are left out, "on…"
// are listeners, and children are nodes or texts.
export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return node;
}

// visible returns the nodes that show text with what is hidden in it. With
// lines, line ends stay line ends.
export function visible(text, { lines = false } = {}) {
  const nodes = [];
  let plain = "";
  const flush = () => {
    if (plain) nodes.push(document.createTextNode(plain));
    plain = "";
  };
  for (const char of String(text ?? "")) {
    if (!hidden.test(char)) {
      plain += char;
      continue;
    }
    const code = char.codePointAt(0);
    flush();
    if (code === 0x0a) {
      nodes.push(el("span", { class: "hid soft", title: "line feed" }, "⏎"));
      if (lines) plain = "\n";
    } else if (code === 0x09) {
      nodes.push(el("span", { class: "hid soft", title: "tab" }, "⇥"));
      plain = lines ? "\t" : " ";
    } else {
      const hex = "U+" + code.toString(16).toUpperCase().padStart(4, "0");
      nodes.push(el("span", { class: "hid", title: hex }, names.get(code) ?? hex));
    }
  }
  flush();
  return nodes;
}

// mono shows text as it stands, in one line or wrapped.
export function mono(text) {
  return el("code", { class: "mono" }, visible(text));
}

// hasHidden says whether text has characters that are not what they look like:
// tabs and line ends are not among them.
export function hasHidden(text) {
  return hidden.test(String(text).replace(/[\t\n]/g, ""));
}

// units turns offsets in bytes of UTF-8 into offsets in text. An offset inside
// of a character becomes the character's start.
export function units(text, offsets) {
  const sorted = [...new Set(offsets)].sort((a, b) => a - b);
  const found = new Map();
  let bytes = 0;
  let at = 0;
  let next = 0;
  for (const char of text) {
    const code = char.codePointAt(0);
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    while (next < sorted.length && sorted[next] < bytes + size) found.set(sorted[next++], at);
    bytes += size;
    at += char.length;
  }
  while (next < sorted.length) found.set(sorted[next++], text.length);
  return found;
}

const rank = { deny: 2, ask: 1 };

// marked returns the nodes that show text with spans of it marked: each has
// start and end in bytes, and an action. Where spans lie in one another, the
// strictest shows.
export function marked(text, spans) {
  const at = units(text, spans.flatMap((span) => [span.start, span.end]));
  const ranges = spans
    .map((span) => ({ start: at.get(span.start), end: at.get(span.end), action: span.action }))
    .filter((range) => range.end > range.start);
  const edges = [...new Set([0, text.length, ...ranges.flatMap((r) => [r.start, r.end])])].sort((a, b) => a - b);
  const pieces = [];
  for (let i = 0; i + 1 < edges.length; i++) {
    let action = "";
    for (const range of ranges) {
      const inside = range.start <= edges[i] && range.end >= edges[i + 1];
      if (inside && (rank[range.action] ?? 0) > (rank[action] ?? 0)) action = range.action;
    }
    const last = pieces.at(-1);
    if (last && last.action === action) last.end = edges[i + 1];
    else pieces.push({ start: edges[i], end: edges[i + 1], action });
  }
  return pieces.map(({ start, end, action }) => {
    const nodes = visible(text.slice(start, end), { lines: true });
    return action ? el("mark", { class: action, title: action === "deny" ? "denied" : "asked for" }, nodes) : nodes;
  });
}

// span says how long a number of milliseconds is, in the two largest units at
// most.
export function span(ms) {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return `${minutes} min ${seconds % 60} s`;
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${minutes % 60} min`;
  return `${Math.floor(hours / 24)} days`;
}

// clock is a time as people here write it: with the date if it is not today's.
export function clock(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const today = date.toDateString() === new Date().toDateString();
  const options = today ? { timeStyle: "medium" } : { dateStyle: "medium", timeStyle: "short" };
  return new Intl.DateTimeFormat(undefined, options).format(date);
}

// since is the time of a Go time, or null for its zero value and for none.
export function since(time) {
  const ms = Date.parse(time ?? "");
  return Number.isNaN(ms) || ms < 0 ? null : ms;
}

// count is a number with its noun.
export function count(n, one, many = one + "s") {
  return `${n} ${n === 1 ? one : many}`;
}
