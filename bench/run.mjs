// `npm run bench`: every row beside its bare loop, in one run. `--json` for machines, `--only id,id` for some rows.
import { cpus } from "node:os";
import { join } from "node:path";
import { rows } from "./rows.mjs";
import { openWorkspace } from "./workspace.mjs";

const flags = process.argv.slice(2);
const asJson = flags.includes("--json");
const only = flags.includes("--only") ? flags[flags.indexOf("--only") + 1]?.split(",") : undefined;
const chosen = rows.filter(({ id }) => only === undefined || only.includes(id));
if (chosen.length === 0) {
  console.error(`error: no such row; known: ${rows.map(({ id }) => id).join(", ")}`);
  process.exit(2);
}

const results = [];
const workspace = openWorkspace();
// Telemetry is on, as for everybody, and leaves nothing in the folder this was started from.
process.env.EVAL_SKILLS_TELEMETRY_SQLITE_PATH ??= join(workspace.folder, "telemetry.sqlite3");
try {
  for (const row of chosen) {
    if (!asJson) process.stderr.write(`> ${row.work}\n`);
    const measured = await row.run(workspace);
    const ratio = measured.ours / measured.bare;
    results.push({ ...row, run: undefined, ...measured, ratio, isMet: isWithin(row, measured, ratio) });
  }
} finally {
  workspace.close();
}

const missed = results.filter(({ isMet }) => !isMet).length;
if (asJson) {
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  console.log(
    JSON.stringify({ schemaVersion: 1, command: "bench", machine, rows: results, missed }, null, 2),
  );
} else printTable();
process.exit(missed === 0 ? 0 : 1);

/** A row is met when every target it names is. */
function isWithin(row, { peakMb, extraMs, cellMs, mbPerSecond, perSecond }, ratio) {
  const { target, targetMb, targetExtraMs, targetCellMs, targetMbPerSecond, targetPerSecond } = row;
  return (
    (target === undefined || ratio <= target) &&
    (targetMb === undefined || peakMb <= targetMb) &&
    (targetExtraMs === undefined || extraMs <= targetExtraMs) &&
    (targetCellMs === undefined || cellMs <= targetCellMs) &&
    (targetMbPerSecond === undefined || mbPerSecond >= targetMbPerSecond) &&
    (targetPerSecond === undefined || perSecond >= targetPerSecond)
  );
}

function targetWords({ target, targetMb, targetExtraMs, targetCellMs, targetMbPerSecond, targetPerSecond }) {
  return [
    target === undefined ? [] : `≤ ${target} ×`,
    targetMb === undefined ? [] : `≤ ${targetMb} MB`,
    targetExtraMs === undefined ? [] : `≤ ${targetExtraMs} ms more`,
    targetCellMs === undefined ? [] : `≤ ${targetCellMs} ms of CPU a cell`,
    targetMbPerSecond === undefined ? [] : `≥ ${targetMbPerSecond} MB/s`,
    targetPerSecond === undefined ? [] : `≥ ${targetPerSecond} /s`,
  ]
    .flat()
    .join(", ");
}

/** What a row measured besides its times. */
function asides({ targetMb, peakMb, extraMs, cellMs, mbPerSecond, perSecond, note }) {
  return [
    targetMb === undefined ? [] : `${peakMb.toFixed(0)} MB`,
    extraMs === undefined ? [] : `${extraMs.toFixed(1)} ms more`,
    cellMs === undefined ? [] : `${cellMs.toFixed(3)} ms of CPU a cell`,
    mbPerSecond === undefined ? [] : `${mbPerSecond.toFixed(0)} MB/s`,
    perSecond === undefined ? [] : `${perSecond.toFixed(0)} /s`,
    note ?? [],
  ]
    .flat()
    .join(" ");
}

function printTable() {
  const cells = results.map((row) => {
    const { work, bare, ours, ratio, isMet, unit = "ms" } = row;
    return [
      targetWords(row) === "" ? "" : isMet ? "met" : "MISSED",
      work,
      `${bare.toFixed(0)} ${unit}`,
      `${ours.toFixed(0)} ${unit}`,
      `${ratio.toFixed(2)} ×`,
      targetWords(row),
      asides(row),
    ];
  });
  const all = [["", "work", "limit", "eval-skills", "ratio", "target", ""], ...cells];
  const widths = all[0].map((_, column) => Math.max(...all.map((row) => row[column].length)));
  console.log("");
  for (const row of all)
    console.log(
      row
        .map((text, column) => text.padEnd(widths[column]))
        .join("  ")
        .trimEnd(),
    );
  console.log("\nRatios within this run; times by themselves mean nothing on a shared machine.");
}
