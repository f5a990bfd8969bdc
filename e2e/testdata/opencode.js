// A plugin of opencode that has permctl decide every tool call, and waits for a
// person where one has to be asked. What does not run is an error, which opencode
// gives the model.
import { spawn } from "node:child_process"

const ask = (call) =>
  new Promise((resolve, reject) => {
    const permctl = spawn("permctl", ["ask", "--json"], { cwd: call.cwd, stdio: ["pipe", "pipe", "inherit"] })
    let text = ""
    permctl.stdout.setEncoding("utf8").on("data", (part) => (text += part))
    permctl.on("error", reject)
    permctl.on("close", (status) => {
      const answer = JSON.parse(text || "{}")
      if (status !== 0) answer.status = "denied"
      resolve(answer)
    })
    permctl.stdin.on("error", reject)
    permctl.stdin.end(JSON.stringify(call))
  })

export const Permctl = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await ask({ tool: input.tool, input: output.args, cwd: output.args.workdir ?? directory, session: input.sessionID })
    if (answer.status !== "allowed") throw new Error(answer.reason || answer.decision?.reason || "permctl has not decided")
  },
})
