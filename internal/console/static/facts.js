// What a pending request says of itself: which parts of a command decided, and
// by which rule, floor or policy. It reads, and makes no page.

const utf8 = new TextEncoder();
const fromUTF8 = new TextDecoder();

// commandText is the shell text of a request, or null if its tool runs none.
export function commandText(ask) {
  const input = ask.metadata?.input ?? {};
  for (const field of ["command", "input", "script", "cmd"]) {
    if (typeof input[field] === "string" && (field === "command" || ask.commands?.length > 0)) return input[field];
  }
  return null;
}

// sources returns what each command of a request is in its text.
function sources(ask) {
  const bytes = utf8.encode(commandText(ask) ?? "");
  return (ask.commands ?? []).map((command) => fromUTF8.decode(bytes.subarray(command.start, command.end)));
}

const unparsed = "(unparsed) ";

// related returns which commands a target is about, as indexes: those that fit
// best, by what a decision has in common with the facts.
function related(ask, written, permission, pattern, forms) {
  const commands = ask.commands ?? [];
  const spellings = new Set([pattern, ...forms]);
  const bare = [...spellings].map((text) => (text.startsWith(unparsed) ? text.slice(unparsed.length) : text)).filter(Boolean);
  const paths = (command) => (command.files ?? []).map((file) => (typeof file === "string" ? file : file.path));
  const tiers = [
    (command) => command.prefix === pattern && forms.includes(command.text),
    (command, i) => pattern.startsWith(unparsed) && (bare.includes(written[i]) || bare.includes(command.text)),
    (command) => spellings.has(command.text),
    (command, i) => bare.includes(written[i]),
    (command) => paths(command).some((path) => spellings.has(path)),
    (command) => (permission === "bash" || permission === "") && command.prefix === pattern,
    (command, i) => bare.some((text) => text.length > 1 && (written[i].includes(text) || command.text.includes(text))),
  ];
  for (const fits of tiers) {
    const found = commands.flatMap((command, i) => (fits(command, i) ? [i] : []));
    if (found.length > 0) return found;
  }
  return [];
}

// strict says whether an action is no allow. What is not known is.
export const strict = (action) => action !== "allow";

// reasons returns what stands between a request and an allow, in the order of
// the decision: objects with kind (rule, floor or policy), action, permission,
// subject, reason, rule, and the indexes of the commands that they are about.
export function reasons(ask) {
  const decision = ask.decision ?? {};
  const written = sources(ask);
  const found = [];
  const seen = new Set();
  const add = (reason) => {
    const key = JSON.stringify([reason.kind, reason.action, reason.permission, reason.subject, reason.reason, reason.rule]);
    if (seen.has(key)) return;
    seen.add(key);
    found.push(reason);
  };
  for (const request of decision.requests ?? []) {
    for (const target of (request.targets ?? []).filter((each) => strict(each.action))) {
      const forms = target.forms ?? [];
      add({
        kind: "rule",
        action: target.action,
        permission: request.permission,
        subject: target.pattern.startsWith(unparsed) ? target.pattern : (forms[0] ?? target.pattern),
        reason: "",
        rule: target.rule ?? null,
        commands: related(ask, written, request.permission, target.pattern, forms),
      });
    }
  }
  const others = [
    ...(decision.floors ?? []).map((floor) => ({ ...floor, kind: "floor" })),
    ...(decision.findings ?? []).map((finding) => ({ ...finding, kind: "policy", name: finding.policy })),
  ];
  for (const { kind, action, name, reason, target } of others.filter((each) => strict(each.action))) {
    const subject = target === "*" ? "" : (target ?? "");
    const commands = subject ? related(ask, written, "", subject, [subject]) : [];
    add({ kind, action, permission: "", subject, reason, name, rule: null, commands });
  }
  return found;
}

// verdicts returns the action on each command: ask, deny, or nothing.
export function verdicts(ask, because) {
  const actions = (ask.commands ?? []).map(() => "");
  for (const { action, commands } of because) {
    for (const i of commands) {
      if (actions[i] !== "deny") actions[i] = action === "deny" ? "deny" : "ask";
    }
  }
  return actions;
}

// phrase is a fact that the daemon gives as a text or as an object: an effect,
// a hazard, a file.
export function phrase(fact) {
  if (typeof fact === "string") return fact;
  const words = [fact.word ?? fact.path ?? fact.text, fact.reason ?? fact.access ?? fact.effect ?? fact.kind];
  return words.filter(Boolean).join(": ");
}

// doing says in words what kind of thing a permission is for.
export function doing(ask) {
  const known = {
    bash: "Run a command", edit: "Change a file", read: "Read a file", grep: "Search in files", list: "List files",
    glob: "List files", webfetch: "Fetch a URL", websearch: "Search the web", task: "Start another agent",
    skill: "Use a skill", eval: "Run code in the agent", external_directory: "Reach outside the workspace",
  };
  const tool = ask.metadata?.tool;
  return (Object.hasOwn(known, ask.permission) && known[ask.permission]) || `Use ${tool || ask.permission || "a tool"}`;
}
