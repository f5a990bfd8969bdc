
// opencode makes a call of a tool only if this neither throws nor hangs, and tells
// the model what it throws. It cannot ask from here, and has no signal for a session
// that ends. A plugin that cannot be loaded is left out, and so this one relies on
// nothing until there is a call.
export const Permctl = async (project) => ({
  "tool.execute.before": async (input, output) => {
    fix(output.args)
    const { tool, sessionID, callID } = input
    const answer = await judge({
      hook: "tool.execute.before", input: { tool, sessionID, callID }, output: { args: output.args },
      directory: project?.directory, worktree: project?.worktree,
    })
    const reason = typeof answer.reason === "string" && answer.reason !== "" ? answer.reason : "permctl gave no reason"
    switch (answer.decision) {
      case "allow":
      case "pass": // opencode's own rules come next, in either case
        return
      case "deny":
        throw new Error(reason)
      case "ask":
        throw new Error(`${reason} (a person has to allow it, and nobody was there to ask)`)
    }
    throw refusal(`${program} gave no decision, but said: ${shown(JSON.stringify(answer))}`)
  },
})
