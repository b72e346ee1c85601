// `npm run bench`: every row beside its bare loop, in one run. `--json` for machines, `--only id,id` for some rows.
import { cpus } from "node:os";
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
try {
  for (const row of chosen) {
    if (!asJson) process.stderr.write(`> ${row.work}\n`);
    const { bare, ours, peakMb, note } = await row.run(workspace);
    const ratio = ours / bare;
    const isMet = ratio <= row.target && (row.targetMb === undefined || peakMb <= row.targetMb);
    results.push({ ...row, run: undefined, bare, ours, peakMb, ratio, isMet, note });
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

function printTable() {
  const cells = results.map(
    ({ work, bare, ours, ratio, target, targetMb, peakMb, isMet, unit = "ms", note }) => [
      isMet ? "met" : "MISSED",
      work,
      `${bare.toFixed(0)} ${unit}`,
      `${ours.toFixed(0)} ${unit}`,
      `${ratio.toFixed(2)} ×`,
      `≤ ${target} ×${targetMb === undefined ? "" : `, ≤ ${targetMb} MB`}`,
      [peakMb === undefined || targetMb === undefined ? "" : `${peakMb.toFixed(0)} MB`, note ?? ""]
        .join(" ")
        .trim(),
    ],
  );
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
