// Tests one project of 200 skills, some broken on purpose, with the built product under each line of Node that is supported:
// the reports have to be equal, and to name exactly what is broken. Run with tsx, after a build. Node comes from npm.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { oneInTwenty, writeSkillProject } from "../test/builders/sample-skill-project.ts";
import { timeless } from "../test/timeless.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const majors = [20, 22, 24];
const skills = 200;
const broken = oneInTwenty(skills);

const folder = mkdtempSync(join(tmpdir(), "eval-skills-nodes-"));
try {
  let first = null;
  for (const major of majors) {
    const node = nodeOf(major);
    const report = testProject(node, join(folder, `project-${major}`));
    const failed = new Set(report.cells.filter(({ status }) => status !== "pass").map(skillIn));
    const wanted = new Set(Object.keys(broken).map((n) => `skill-${n.padStart(3, "0")}`));
    if (!isDeepStrictEqual(failed, wanted))
      throw new Error(`${version(node)}: failed ${[...failed].sort()}, broken are ${[...wanted].sort()}`);
    const facts = timeless(report);
    first ??= facts;
    const differing = Object.keys(facts).filter((name) => !isDeepStrictEqual(facts[name], first[name]));
    if (differing.length > 0)
      throw new Error(`${version(node)}: other ${differing.join(", ")} than under Node ${majors[0]}`);
    console.log(`${version(node)}: ${report.total} results, ${failed.size} skills fail as they must`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** This Node where it is of that line, else the newest one from npm. */
function nodeOf(major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const prefix = join(folder, `node-${major}`);
  mkdirSync(prefix);
  const flags = ["--prefix", prefix, "--no-audit", "--no-fund", "--no-save", "--loglevel=error"];
  const { status } = spawnSync("npm", ["install", ...flags, `node@${major}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`npm could not install node@${major}`);
  return join(prefix, "node_modules/node/bin/node");
}

function version(node) {
  return `Node ${spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim()}`;
}

function testProject(node, path) {
  mkdirSync(path);
  writeSkillProject(path, { skills, broken });
  const argv = [
    join(root, "bin/eval-skills.js"),
    "test",
    "--sandbox",
    "process",
    "--format",
    "json",
    "--json",
  ];
  const env = { ...process.env, HOME: folder, EVAL_SKILLS_TELEMETRY_MODE: "off" };
  const run = spawnSync(node, argv, { cwd: path, env, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (run.status !== 1) throw new Error(`${version(node)}: exit code ${run.status}\n${run.stderr}`);
  return JSON.parse(run.stdout);
}

function skillIn({ skillId, suite }) {
  return skillId ?? suite;
}
