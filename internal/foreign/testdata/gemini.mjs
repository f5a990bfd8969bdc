// Decides calls by Gemini CLI's own policy engine. It takes the folder of its
// bundle and a file with {user, admin, settings, calls}, and writes a decision for
// each call.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";

const bundle = process.argv[2];
const name = fs.readdirSync(bundle).find((f) => /^core-.*\.js$/.test(f));
const core = await import(path.join(bundle, name));
const { user = [], admin = [], settings = {}, calls } = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));

const dir = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "gemini-policy-")));
const put = (folder, texts) => {
  fs.mkdirSync(path.join(dir, folder));
  (texts ?? []).forEach((text, i) => fs.writeFileSync(path.join(dir, folder, `${i}.toml`), text));
  return path.join(dir, folder);
};
const paths = { policyPaths: [put("user", user)], adminPolicyPaths: [put("admin", admin)] };
process.chdir(put("workspace", []));

const engines = {};
for (const interactive of [true, false]) {
  const config = await core.createPolicyEngineConfig({ ...settings, ...paths }, "default", path.join(bundle, "policies"), interactive);
  engines[interactive] = new core.PolicyEngine({ ...config, checkers: [] });
}
const decisions = [];
for (const { tool, input, interactive = true, mcp } of calls) {
  decisions.push((await engines[interactive].check({ name: tool, args: input }, mcp?.server)).decision);
}
fs.writeFileSync(1, "DECISIONS " + JSON.stringify(decisions) + "\n");
process.chdir("/");
fs.rmSync(dir, { recursive: true });
process.exit(0);
