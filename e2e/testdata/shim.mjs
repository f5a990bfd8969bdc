// Has one of permctl's plugins judge a call as its agent does, and prints what
// becomes of it. It ends only when nothing that the plugin has started is left.
//
//   node shim.mjs AGENT PLUGIN INPUT [abort|bare]
//
// INPUT is JSON, or the name of one of the inputs below.
const [agent, plugin, input, how] = process.argv.slice(2)

const cyclic = { command: "ls", more: [] }
cyclic.more.push(cyclic)
const inputs = {
  cyclic,
  bigint: { command: "ls", timeout: 1n },
  nan: { command: "ls", timeout: NaN },
  date: { command: "ls", when: new Date() },
  map: { command: "ls", env: new Map([["A", "B"]]) },
  function: { command: "ls", toJSON: () => ({ command: "true" }) },
  getter: Object.defineProperty({}, "command", { enumerable: true, get: () => "ls" }),
  hidden: Object.defineProperty({}, "command", { value: "ls" }),
  symbol: { command: "ls", [Symbol("x")]: 1 },
  inherited: Object.create({ command: "ls" }),
  object: new (class { command = "ls" })(),
  hole: { command: ["ls", undefined] },
  nothing: undefined,
  undefined: { command: "ls", timeout: undefined },
  bare: Object.assign(Object.create(null), { command: "ls" }),
  deep: Array.from({ length: 100_000 }).reduce((inner) => ({ inner }), {}),
  large: { command: "x".repeat(1 << 20) },
}
const args = input in inputs ? inputs[input] : JSON.parse(input)

const module = await import(plugin)
process.env.EVIL = "1" // after the plugin was loaded

let ticks = 0
const ticking = setInterval(() => ticks++, 10)
const controller = new AbortController()
if (how === "abort") setTimeout(() => controller.abort(), 200)

// opencode returns what its hook for the call does, and pi what its handler says.
async function opencode() {
  const hooks = await module.Permctl(how === "bare" ? undefined : { directory: "/srv/inn", worktree: "/srv" })
  try {
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_1", callID: "c1" }, { args })
    return { runs: true }
  } catch (error) {
    return { runs: false, reason: error.message }
  }
}

async function pi(context) {
  let handler
  module.default({ on: (event, f) => event === "tool_call" && (handler = f) })
  const answer = await handler({ type: "tool_call", toolName: "bash", toolCallId: "c1", input: args }, context)
  return answer?.block ? { runs: false, reason: answer.reason } : { runs: true }
}

const outcome = agent === "opencode" ? await opencode()
  : agent === "pi" ? await pi(how === "bare" ? undefined : { cwd: "/srv/inn", sessionManager: { getSessionId: () => "ses_1" }, signal: controller.signal })
  : await pi({ cwd: "/srv/inn" }) // senpi, of whose context no more is relied on
clearInterval(ticking)

// What another plugin could write into the input now.
outcome.changed = false
for (const change of [() => (args.command = "rm"), () => (args.added = 1), () => delete args.command, () => args.list.push("rm"), () => (args.deep.er = 2)]) {
  try {
    change()
    outcome.changed = true
  } catch {
    // it is frozen, or not there
  }
}
console.log(JSON.stringify({ ...outcome, ticks }))
