// The first thing a newcomer sees: builds, starts the example server, runs the tests of the example skills, and says in one line how that went.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** With their own tests; the last one is called on the example server. */
const examples = ["calculator", "fact-finder", "word-problems", "tool-picker", "document-desk/skills"];

console.error("> building");
const build = spawnSync(process.execPath, ["scripts/build.mjs"], { cwd: root, stdio: ["ignore", 2, 2] });
if (build.status !== 0) process.exit(build.status ?? 1);

const server = spawn(process.execPath, ["examples/http-calculator/server.mjs"], {
  cwd: root,
  env: { ...process.env, PORT: "0" },
  stdio: ["ignore", "pipe", "inherit"],
});
const folder = mkdtempSync(join(tmpdir(), "eval-skills-start-"));
let code = 1;
try {
  const origin = await listening(server);
  console.error(`> started the example HTTP skill on ${origin}`);
  const shown = [...examples, "http-calculator"].map((name) => `examples/${name}`);
  console.error(`> eval-skills test ${shown.join(" ")}`);
  code = await runTests([...examples.map((name) => `examples/${name}`), httpSkillAt(origin)]);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(code);

/** Runs the tests, and says what happened and where to look next. */
async function runTests(paths) {
  const reports = ["--format", "json", "markdown", "html", "--output-dir", "reports"];
  const run = spawn(process.execPath, ["bin/eval-skills.js", "test", ...paths, ...reports, "--json"], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [ended, stdout, stderr] = await Promise.all([exitCode(run), text(run.stdout), text(run.stderr)]);
  const { passed = 0, total = 0, subjects = [], error } = readDocument(stdout);
  if (ended !== 0) console.error(stderr);
  const skills = new Set(subjects.flatMap(({ skillId }) => skillId?.split("#")[0] ?? [])).size;
  const page = "Open reports/test-result.html in a browser to see";
  if (total === 0) console.error(`\nThe tests did not run: ${error?.message ?? "see above"}`);
  else if (ended === 0)
    console.error(`\nAll ${total} results of ${skills} example skills passed. ${page} the report.`);
  else {
    const undecided = subjects.reduce((sum, { counts }) => sum + (counts?.invalid ?? 0), 0);
    const without = undecided === 0 ? "" : `, and ${undecided} more had no verdict`;
    console.error(`\n${total - passed} of ${total} results failed${without}. ${page} why.`);
  }
  return ended;
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
