// A person at a front end of opencode: it answers what is asked by the real SDK,
// and says what it sees, a line of JSON each.
//
//   node opencode.mjs SDK BASE-URL TOKEN

import { strict as assert } from "node:assert"
import { pathToFileURL } from "node:url"

const [sdk, baseUrl, token] = process.argv.slice(2)
const { createOpencodeClient } = await import(pathToFileURL(sdk))

// The SDK has no option for a token: it goes into the headers.
const connect = (headers) => createOpencodeClient({ baseUrl, headers, directory: "/home/ann/app" })
const client = connect({ Authorization: `Bearer ${token}` })
const say = (what) => console.log(JSON.stringify(what))

for (const headers of [{}, { Authorization: "Bearer wrong" }]) {
  const { data, error, response } = await connect(headers).permission.list()
  assert.equal(response.status, 401)
  assert.equal(data, undefined)
  assert.match(error.error, /token/)
}
assert.deepEqual((await client.permission.list()).data, [])

const unknown = await client.permission.reply({ requestID: "per_none", reply: "once" })
assert.equal(unknown.response.status, 404)
assert.equal(unknown.error._tag, "PermissionNotFoundError")
assert.equal(unknown.error.requestID, "per_none")
await assert.rejects(client.permission.reply({ requestID: "per_none", reply: "once" }, { throwOnError: true }), { message: unknown.error.message })

const replies = {
  "git push": { reply: "once" },
  "git tag v1": { reply: "always" },
  "git clean": { reply: "reject" },
  "git reset": { reply: "reject", message: "use git restore" },
}

const { stream } = await client.event.subscribe({}, { onSseError: (error) => say({ error: String(error) }) })
let first = true
let left = Object.keys(replies).length
for await (const event of stream) {
  assert.equal(typeof event.id, "string")
  if (first) assert.equal(event.type, "server.connected")
  first = false
  say({ type: event.type, properties: event.properties })
  if (event.type === "permission.asked") {
    const request = event.properties
    const { data } = await client.permission.list({ throwOnError: true })
    assert.deepEqual(data.find((each) => each.id === request.id), request)
    const reply = replies[request.metadata.input.command]
    const yes = await client.permission.reply({ requestID: request.id, reply: "perhaps" })
    assert.equal(yes.response.status, 400)
    assert.equal(yes.error._tag, "InvalidRequestError")
    const answered = await client.permission.reply({ requestID: request.id, ...reply }, { throwOnError: true })
    assert.equal(answered.data, true)
    const again = await client.permission.reply({ requestID: request.id, reply: "once" })
    assert.equal(again.error._tag, "PermissionNotFoundError")
  }
  if (event.type === "permission.replied" && --left === 0) process.exit(0) // the SDK keeps the connection otherwise
}
