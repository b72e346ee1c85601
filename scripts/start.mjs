// The first thing a newcomer sees: builds, starts the example server, evaluates the example skills, each with its benchmark, and says in one line how that went.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = [
  ["coding-easy", "examples/calculator", "examples/http-calculator"],
  ["web-search-basic", "examples/fact-finder"],
  ["gaia-v1", "examples/word-problems"],
  ["toolbench-lite", "examples/tool-picker"],
];

console.error("> building");
const build = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] });
if (build.status !== 0) process.exit(build.status ?? 1);

const server = spawn(process.execPath, ["examples/http-calculator/server.mjs"], {
  cwd: root,
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const folder = mkdtempSync(join(tmpdir(), "eval-skills-start-"));
const results = [];
try {
  const origin = await listening(server);
  console.error(`> started the example HTTP skill on ${origin}`);
  for (const [benchmark, ...skills] of examples) results.push(await evaluate(benchmark, skills, origin));
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
const failed = results.find(({ code }) => code !== 0);
console.error(`\n${summary()}`);
process.exit(failed?.code ?? 0);

async function evaluate(benchmark, skills, origin) {
  console.error(`\n> eval-skills eval --skills ${skills.join(" ")} --benchmark ${benchmark}`);
  const paths = skills.map((skill) => (skill === "examples/http-calculator" ? httpSkillAt(origin) : skill));
  const reports = ["--format", "json", "markdown", "html", "--output-dir", `reports/${benchmark}`];
  const flags = ["eval", "--skills", ...paths, "--benchmark", benchmark, "--min-completion", "1", ...reports];
  const run = spawn(process.execPath, ["bin/eval-skills.js", ...flags, "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [code, stdout, stderr] = await Promise.all([exitCode(run), text(run.stdout), text(run.stderr)]);
  const { passed = 0, total = 0, error } = readDocument(stdout);
  if (code === 0) console.error(`  ✓ ${passed} of ${total} passed`);
  else console.error(`${stderr}  ✗ ${error?.message ?? `${total - passed} of ${total} did not pass`}`);
  return { benchmark, code, passed, total, skills: skills.length };
}

/** What happened, and where to look next. */
function summary() {
  const sum = (name) => results.reduce((total, result) => total + result[name], 0);
  const { benchmark } = failed ?? results[0];
  const report = `reports/${benchmark}/eval-result.html`;
  return failed === undefined
    ? `All ${sum("total")} checks of ${sum("skills")} example skills passed. Open ${report} in a browser to see one of the reports.`
    : `${sum("passed")} of ${sum("total")} checks passed. Open ${report} in a browser to see what did not.`;
}

function exitCode(child) {
  return new Promise((done) => child.on("close", (code) => done(code ?? 1)));
}

function readDocument(json) {
  try {
    return JSON.parse(json);
  } catch {
    return {};
  }
}

/** The server takes whatever port is free, so the skill that is called is a copy which names that port. */
function httpSkillAt(origin) {
  const copy = join(folder, "http-calculator");
  cpSync(join(root, "examples/http-calculator"), copy, { recursive: true });
  const config = join(copy, "adapter.config.json");
  const settings = JSON.parse(readFileSync(config, "utf8"));
  writeFileSync(config, JSON.stringify({ ...settings, baseUrl: origin }, null, 2));
  return copy;
}

function listening(child) {
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("the example server did not start")));
    createInterface({ input: child.stdout }).once("line", (line) =>
      resolve(line.replace("listening on ", "")),
    );
  });
}
