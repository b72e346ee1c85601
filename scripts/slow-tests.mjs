// Runs all tests and lists the slowest: single tests by the clock, files by CPU time. Usage: npm run test:slow [-- <vitest arguments>]
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "slow-tests-"));
const shown = 20;
try {
  const cpu = join(folder, "cpu.ndjson");
  const clock = join(folder, "clock.json");
  writeFileSync(cpu, "");
  const vitest = ["--no-install", "vitest", "run", "--reporter=default", "--reporter=json"];
  const { status } = spawnSync("npx", [...vitest, `--outputFile.json=${clock}`, ...process.argv.slice(2)], {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, EVAL_SKILLS_TEST_CPU: cpu },
  });
  const tests = JSON.parse(readFileSync(clock, "utf8")).testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({ file: relative(root, name), fullName, duration })),
  );
  console.log(`\nthe ${shown} slowest tests, by the clock`);
  for (const { file, fullName, duration = 0 } of slowest(tests, ({ duration = 0 }) => duration))
    console.log(`${seconds(duration)}  ${file}  ${fullName}`);
  const files = readFileSync(cpu, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const total = (one) => one.ownMs + one.childrenMs;
  console.log(`\nthe ${shown} files that cost the most CPU time: own + processes they started`);
  for (const one of slowest(files, total))
    console.log(
      `${seconds(total(one))} =${seconds(one.ownMs)} +${seconds(one.childrenMs)}  ${relative(root, one.file)}`,
    );
  console.log(`${seconds(files.reduce((sum, one) => sum + total(one), 0))}  all ${files.length} files`);
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function slowest(rows, cost) {
  return rows.toSorted((a, b) => cost(b) - cost(a)).slice(0, shown);
}

function seconds(ms) {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`;
}
