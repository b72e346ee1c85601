// The first thing a newcomer sees: builds, starts the example server, evaluates the example skills, each with its benchmark.
import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const otherExamples = [
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
let status = 1;
try {
  const origin = await listening(server);
  console.error(`> started the example HTTP skill on ${origin}`);
  status = await evaluate("coding-easy", ["examples/calculator", httpSkillAt(origin)]);
  for (const [benchmark, skill] of otherExamples) status ||= await evaluate(benchmark, [skill]);
  if (status === 0) tellReports(["coding-easy", ...otherExamples.map(([benchmark]) => benchmark)]);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);

function evaluate(benchmark, skills) {
  const shown = skills.map((skill) => (skill.startsWith(folder) ? "examples/http-calculator" : skill));
  console.error(`\n> eval-skills eval --skills ${shown.join(" ")} --benchmark ${benchmark}\n`);
  const gate = ["--exit-on-fail", "--min-completion", "1"];
  const reports = ["--format", "json", "markdown", "html", "--output-dir", `reports/${benchmark}`];
  const flags = ["eval", "--skills", ...skills, "--benchmark", benchmark, ...gate, ...reports];
  const run = spawn(process.execPath, ["bin/eval-skills.js", ...flags], { cwd: root, stdio: "inherit" });
  return new Promise((done) => run.on("exit", (code) => done(code ?? 1)));
}

function tellReports(benchmarks) {
  console.error("\nThe reports, to open in a browser:");
  for (const benchmark of benchmarks) console.error(`  reports/${benchmark}/eval-result.html`);
  console.error("Does the right request load a skill? See for 24 of them:");
  console.error("  node bin/eval-skills.js trigger examples/office-team/skills --format html");
  console.error("Does an agent work with a skill as it should? 82 cases, without any model:");
  console.error("  cd examples/library-desk && node ../../bin/eval-skills.js agent eval .agent/evals");
  console.error("Do prompts and their tools keep their word? 20 conversations, and 30 plans:");
  console.error("  cd examples/document-desk && node ../../bin/eval-skills.js agent eval skills");
  console.error("  node bin/eval-skills.js planbench");
  console.error("The README says how to test a skill of your own.");
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
