
// pi and senpi make a call of a tool unless this returns a block, and tell the model
// its reason. A handler that throws is a block as well, at least in pi.
export default (pi) => {
  pi.on("tool_call", async (event, context) => {
    try {
      fix(event.input)
      const answer = await judge({
        hook: "tool_call", event: { type: "tool_call", toolName: event.toolName, toolCallId: event.toolCallId, input: event.input },
        cwd: context?.cwd ?? process.cwd(), session: context?.sessionManager?.getSessionId?.(), explicit: true,
      }, context?.signal)
      if (answer.block === false) return undefined
      if (answer.block !== true) throw refusal(`${program} gave no decision, but said: ${shown(JSON.stringify(answer))}`)
      const reason = typeof answer.reason === "string" && answer.reason !== "" ? answer.reason : "permctl gave no reason"
      return { block: true, reason }
    } catch (error) {
      return { block: true, reason: error?.message || "permctl gave no reason" }
    }
  })
}
