// A plugin of opencode that has permctl answer every tool call. What does not run
// is an error, which opencode gives the model: if permctl refuses, and if it does
// not answer.
import { spawnSync } from "node:child_process"

export const Permctl = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const said = spawnSync(program, ["hook", "opencode"], {
      input: JSON.stringify({ hook: "tool.execute.before", input, output, directory, worktree }),
      cwd: directory,
      encoding: "utf8",
      timeout: patience,
    })
    if (said.error || said.status !== 0) throw new Error(said.stderr?.trim() || `permctl has not answered: ${said.error?.message ?? said.signal ?? said.status}`)
    let answer
    try {
      answer = JSON.parse(said.stdout)
    } catch {
      throw new Error("permctl's answer is no JSON")
    }
    if (answer.decision !== "allow" && answer.decision !== "pass") throw new Error(answer.reason || "permctl has not decided")
  },
})
