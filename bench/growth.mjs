// `npm run bench:growth`: how the main operations grow. Each is measured at three sizes, in seconds of the processor, and an
// exponent is fitted to what it takes beyond its start; above 1.15 is a failure. `--only id,id` for some, `--json` for machines.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { writeManySkills } from "./many-skills.mjs";
import { startServer } from "./measure.mjs";
import { openWorkspace } from "./workspace.mjs";

const maxExponent = 1.15;
/** What grows by less than this from nothing to the largest size has no exponent worth fitting. */
const leastSeconds = 0.2;
const rounds = 2;

const flags = process.argv.slice(2);
const asJson = flags.includes("--json");
const only = flags.includes("--only") ? flags[flags.indexOf("--only") + 1]?.split(",") : undefined;
const workspace = openWorkspace();
const { cli, folder, python } = workspace;
const echo = await startServer(workspace.program("echo-server.mjs"));
const skillSizes = [500, 1000, 2000];
const cellSizes = [5000, 10_000, 20_000];

const skills = (name) => (size) => {
  const path = join(folder, `${name}-${size}`);
  writeManySkills(path, size, { requests: name === "asked" });
  return path;
};
const catalogs = { plain: remembered(skills("plain")), asked: remembered(skills("asked")) };

/** A run over so many cells: its store, its report, and the events it sent. */
const runs = remembered((size) => {
  const at = join(folder, `cells-${size}`);
  const env = { EVAL_SKILLS_TELEMETRY_SQLITE_PATH: join(at, "events.db") };
  const places = ["--store", join(at, "store.db"), "--output-dir", at];
  const skill = workspace.httpSkill(`echo-${size}`, echo.origin);
  const run = (count) =>
    execFileSync(
      process.execPath,
      [
        cli,
        "eval",
        "--skills",
        skill,
        "--tasks",
        workspace.tasks(count),
        "--sandbox",
        "process",
        ...places,
        "--json",
      ],
      { cwd: folder, env: { ...process.env, ...env }, stdio: "ignore", maxBuffer: 1 << 30 },
    );
  run(100); // what is pruned
  const between = new Date().toISOString();
  run(size);
  return { at, between, store: join(at, "store.db"), events: join(at, "events.db") };
});

const report = (at) => join(at, "eval-result.json");
const operations = [
  { id: "doctor", what: "doctor, skills", sizes: skillSizes, argv: (n) => ["doctor", catalogs.plain(n)] },
  {
    id: "dry-run",
    what: "test --dry-run, skills",
    sizes: skillSizes,
    argv: (n) => ["test", catalogs.plain(n), "--dry-run"],
  },
  {
    id: "catalog",
    what: "catalog report, skills with two requests each",
    sizes: skillSizes,
    argv: (n) => ["catalog", "report", catalogs.asked(n)],
  },
  {
    id: "resume",
    what: "eval --resume of a whole run, cells",
    sizes: cellSizes,
    argv: (n) => {
      const { at, store } = runs(n);
      const { id } = JSON.parse(readFileSync(report(at), "utf8")).run;
      return ["eval", "--resume", id, "--store", store, "--output-dir", at, "--sandbox", "process"];
    },
  },
  {
    id: "html",
    what: "report convert --format html, cells",
    sizes: cellSizes,
    argv: (n) => ["report", "convert", "--input", report(runs(n).at), "--format", "html"],
  },
  {
    id: "query",
    what: "telemetry query, events",
    sizes: cellSizes,
    argv: (n) => ["telemetry", "query", "--json", "--limit", "1000000", "--path", runs(n).events],
  },
  {
    id: "prune",
    what: "store prune of 100 cells, cells that are kept",
    sizes: cellSizes,
    argv: (n) => ["store", "prune", "--store", runs(n).store, "--before", runs(n).between],
    once: true,
  },
].filter(({ id }) => only === undefined || only.includes(id));

const results = [];
try {
  const start = measured(["find", "--skills-dir", folder, "nothing"], 3).cpuSeconds;
  for (const { id, what, sizes, argv, once } of operations) {
    const points = sizes.map((size) => ({ size, ...measured(argv(size), once ? 1 : rounds) }));
    const exponent = fitExponent(points.map(({ size, cpuSeconds }) => [size, cpuSeconds - start]));
    results.push({ id, what, points, exponent, isMet: exponent === null || exponent <= maxExponent });
    if (!asJson) console.log(line(results.at(-1)));
  }
} finally {
  echo.stop();
  workspace.close();
}
const missed = results.filter(({ isMet }) => !isMet).length;
if (asJson)
  console.log(JSON.stringify({ schemaVersion: 1, command: "bench:growth", operations: results, missed }));
process.exit(missed === 0 ? 0 : 1);

/** The least of some rounds: what a neighbour takes is never negative. */
function measured(words, times) {
  const taken = Array.from({ length: times }, () => {
    const { stdout } = spawnSync(
      python,
      [workspace.program("measured.py"), process.execPath, cli, ...words],
      {
        cwd: folder,
        env: { ...process.env, EVAL_SKILLS_TELEMETRY_MODE: "off" },
        encoding: "utf8",
      },
    );
    const { code, ...took } = JSON.parse(stdout);
    if (code > 1 && words[0] !== "find") throw new Error(`${words.join(" ")} ended with ${code}`);
    return took;
  });
  return taken.reduce((best, one) => (one.cpuSeconds < best.cpuSeconds ? one : best));
}

/** The slope of the line through the logarithms; null where there is no growth to speak of. */
function fitExponent(points) {
  if (Math.max(...points.map(([, seconds]) => seconds)) < leastSeconds) return null;
  const logs = points.map(([size, seconds]) => [Math.log(size), Math.log(Math.max(seconds, 0.01))]);
  const mean = (at) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const covariance = logs.reduce((sum, [a, b]) => sum + (a - x) * (b - y), 0);
  return covariance / logs.reduce((sum, [a]) => sum + (a - x) ** 2, 0);
}

function line({ what, points, exponent, isMet }) {
  const taken = points.map(
    ({ size, cpuSeconds, peakMb }) => `${size}: ${cpuSeconds.toFixed(2)} s, ${peakMb.toFixed(0)} MB`,
  );
  const grows = exponent === null ? "does not grow" : `exponent ${exponent.toFixed(2)}`;
  return `${isMet ? "met   " : "MISSED"}  ${what.padEnd(46)}  ${taken.join("  ")}  ${grows}`;
}

function remembered(make) {
  const known = new Map();
  return (size) => {
    if (!known.has(size)) known.set(size, make(size));
    return known.get(size);
  };
}
