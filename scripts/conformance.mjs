// `npm run conformance`: the client scenarios of the official MCP suite against the built command line.
// The suite needs a newer Node than we do; both are fetched from npm into a folder outside the project, once.
// `--json` for machines; names of scenarios run only those.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const self = fileURLToPath(import.meta.url);
const cli = fileURLToPath(new URL("../bin/eval-skills.js", import.meta.url));
const suiteVersion = "0.1.16";
const nodeVersion = "22";

/** What the client has to do in a scenario; the suite watches from the server's side. */
const scenarios = {
  initialize: { tool: "add_numbers", input: {} },
  tools_call: { tool: "add_numbers", input: { a: 2, b: 3 } },
  "elicitation-sep1034-client-defaults": { tool: "test_client_elicitation_defaults", input: {} },
  "sse-retry": { tool: "test_reconnection", input: {} },
};

if (process.argv[2] === "--client") process.exit(await beClient(process.argv.at(-1)));
process.exit(await runSuite(process.argv.slice(2)));

/** The client under test: `eval` of one task over the server that the suite has started. */
async function beClient(url) {
  const { tool, input } = scenarios[process.env.MCP_CONFORMANCE_SCENARIO] ?? scenarios.initialize;
  const folder = mkdtempSync(join(tmpdir(), "eval-skills-conformance-"));
  const skill = join(folder, "skill");
  mkdirSync(skill);
  const write = (name, content) => writeFileSync(join(folder, name), JSON.stringify(content));
  write("skill/skill.json", {
    id: "conformance",
    name: "Conformance",
    version: "1.0.0",
    description: "A tool of the conformance suite",
    adapterType: "mcp",
    entrypoint: url,
    metadata: { toolName: tool },
  });
  // No gate is asked for, so the verdict does not matter: what the suite saw on its side does.
  write("tasks.json", [
    { id: "call", inputData: input, timeoutMs: 20_000, expectedOutput: { type: "exact", value: "any" } },
  ]);
  const argv = [cli, "eval", "--skills", skill, "--tasks", join(folder, "tasks.json"), "--json"];
  const places = ["--store", join(folder, "store.db"), "--output-dir", join(folder, "reports")];
  const child = spawn(process.execPath, [...argv, ...places], { cwd: folder, stdio: "inherit" });
  const code = await new Promise((done) => child.once("exit", done));
  rmSync(folder, { recursive: true, force: true });
  return code ?? 1;
}

async function runSuite(flags) {
  const asJson = flags.includes("--json");
  const named = flags.filter((flag) => !flag.startsWith("-"));
  const unknown = named.find((name) => !Object.hasOwn(scenarios, name));
  if (unknown !== undefined) {
    console.error(`error: no scenario ${unknown}; there are ${Object.keys(scenarios).join(", ")}`);
    return 2;
  }
  const { node, suite } = install();
  const results = [];
  for (const scenario of named.length > 0 ? named : Object.keys(scenarios)) {
    const command = `${process.execPath} ${self} --client`;
    const argv = [suite, "client", "--command", command, "--scenario", scenario];
    const { status, stdout, stderr } = spawnSync(node, argv, { encoding: "utf8", timeout: 120_000 });
    results.push({ scenario, passed: status === 0 });
    if (!asJson) console.log(`${status === 0 ? "pass" : "FAIL"}  ${scenario}`);
    if (status !== 0) console.error(`${stdout}\n${stderr}`);
  }
  const failed = results.filter(({ passed }) => !passed).length;
  if (asJson) {
    const document = { schemaVersion: 1, command: "conformance", suiteVersion, scenarios: results, failed };
    console.log(JSON.stringify(document, null, 2));
  }
  return failed === 0 ? 0 : 1;
}

/** Where suite and Node are, after fetching them where they are not yet. */
function install() {
  const folder = join(tmpdir(), `eval-skills-conformance-suite-${suiteVersion}-node${nodeVersion}`);
  // The package `node` fetches this one by a script; named directly, no script has to run.
  const nodePackage = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const node = join(folder, "node_modules", nodePackage, "bin/node");
  const suite = join(folder, "node_modules/@modelcontextprotocol/conformance");
  if (!existsSync(node) || !existsSync(suite)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }');
    const packages = [`@modelcontextprotocol/conformance@${suiteVersion}`, `${nodePackage}@${nodeVersion}`];
    const argv = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error", ...packages];
    const { status } = spawnSync("npm", argv, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error("the conformance suite could not be installed");
  }
  const { bin } = JSON.parse(readFileSync(join(suite, "package.json"), "utf8"));
  return { node, suite: join(suite, typeof bin === "string" ? bin : Object.values(bin)[0]) };
}
