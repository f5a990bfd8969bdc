// What a pending request says of itself: which parts of a command decided, and
// by which rule, floor or policy. It reads, and makes no page.

const unparsed = "(unparsed) ";

// strict says whether an action is no allow. What is not known is.
export const strict = (action) => action !== "allow";

// reasons returns what stands between a request and an allow, in the order of
// the decision: objects with kind (rule, floor or policy), action, permission,
// subject, reason and rule.
export function reasons(ask) {
  const decision = ask.decision ?? {};
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
      });
    }
  }
  const others = [
    ...(decision.floors ?? []).map((floor) => ({ ...floor, kind: "floor" })),
    ...(decision.findings ?? []).map((finding) => ({ ...finding, kind: "policy", name: finding.policy })),
  ];
  for (const { kind, action, name, reason, target } of others.filter((each) => strict(each.action))) {
    const subject = target === "*" ? "" : (target ?? "");
    add({ kind, action, permission: "", subject, reason, name, rule: null });
  }
  return found;
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
