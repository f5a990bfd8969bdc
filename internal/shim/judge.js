import { spawn } from "node:child_process"

// How long permctl has, in milliseconds. It decides within 5 s, and then waits 50 s
// for a person. No agent that loads this ends a plugin by itself.
const longest = 70_000

// How many characters permctl says at most. A reason has 4096 bytes.
const most = 65_536

// The environment that the agent was started with, and not what has become of it.
// Only of Claude Code does permctl take the project's folder from there.
const environment = { ...process.env }
delete environment.CLAUDE_PROJECT_DIR

// refusal returns the error for a call that permctl could not judge.
function refusal(what) {
  return new Error(`permctl could not decide, so the answer is no: ${what}. No tool runs until a person has put it right: permctl doctor`)
}

// shown returns the start of what permctl said, without the words that a refusal
// has already.
function shown(text) {
  text = text.trim().replace(/^permctl could not decide, so the answer is no: /, "")
  return text.length > 1000 ? text.slice(0, 1000) + "…" : text
}

// fix freezes a tool's input, so that what is judged is what runs: a plugin that
// comes later, or at the same time, gets an error if it writes into it. It can still
// do anything else, for it is code in the same process, and as trusted as the agent.
//
// What JSON cannot say is refused, for permctl would judge something else.
function fix(value, seen = new Set()) {
  if (typeof value === "string" || typeof value === "boolean" || Number.isFinite(value) || value === null || seen.has(value)) return
  const list = Array.isArray(value)
  const plain = list ? [Array.prototype] : [Object.prototype, null]
  if (typeof value !== "object" || !plain.includes(Object.getPrototypeOf(value))) {
    throw refusal(`the call's input has a ${typeof value} that is no JSON`)
  }
  seen.add(value)
  Object.freeze(value)
  for (const key of Reflect.ownKeys(value)) {
    if (list && key === "length") continue
    const field = Object.getOwnPropertyDescriptor(value, key)
    if (typeof key !== "string" || !field.enumerable || !("value" in field)) {
      throw refusal("the call's input has a field that is no JSON")
    }
    if (field.value !== undefined || list) fix(field.value, seen)
  }
}

// judge returns what permctl says of a payload, which is an object. It rejects if
// anything but that comes of it, and leaves no process behind. An abort of the
// signal, if there is one, is a refusal too.
async function judge(payload, signal) {
  let text
  try {
    text = JSON.stringify(payload)
  } catch (error) {
    throw refusal(`the call cannot be written as JSON (${error.message})`)
  }
  const said = await run(text, signal)
  let answer
  try {
    answer = JSON.parse(said)
  } catch {
    // rubbish is no object, either
  }
  if (answer === null || typeof answer !== "object" || Array.isArray(answer)) {
    throw refusal(said.trim() === "" ? `${program} said nothing` : `${program} gave no answer, but said: ${shown(said)}`)
  }
  return answer
}

// run starts permctl with a text on its standard input, and returns what it writes
// on its standard output if it ends with status 0.
function run(text, signal) {
  return new Promise((resolve, reject) => {
    let child, said = "", complaint = "", unread
    const stop = () => fail("the session was ended")
    const timer = setTimeout(() => fail(`${program} did not answer within ${longest / 1000} s`), longest)
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", stop)
      child?.kill("SIGKILL")
      for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy()
    }
    const fail = (what) => {
      end()
      reject(refusal(what))
    }
    if (signal?.aborted) return stop()
    signal?.addEventListener("abort", stop)
    try {
      child = spawn(program, ["hook", dialect], { env: environment, shell: false, windowsHide: true, stdio: "pipe" })
      child.on("error", (error) => fail(`${program} cannot be started (${error.message})`))
      child.on("close", (status, killed) => {
        if (status !== 0) return fail(`${program} ended with ${status === null ? killed : `status ${status}`}${complaint && `: ${shown(complaint)}`}`)
        if (unread) return fail(`${program} did not read the call (${unread.message})`)
        end()
        resolve(said)
      })
      child.stdin.on("error", (error) => (unread = error))
      child.stdout.setEncoding("utf8").on("data", (more) => {
        said += more
        if (said.length > most) fail(`${program} said more than ${most} characters`)
      })
      child.stderr.setEncoding("utf8").on("data", (more) => (complaint = (complaint + more).slice(0, most)))
      child.stdin.end(text)
    } catch (error) {
      fail(`${program} cannot be started (${error.message})`)
    }
  })
}
