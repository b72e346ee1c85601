import type { CellReader, Report, Reporter, SkillReport } from "../contract/report.ts";
import { indentedJson, jsonList } from "./json-pieces.ts";

/** The whole report for machines: what `--json` prints and what every other command reads. */
export const jsonReporter: Reporter = { format: "json", extension: "json", render };

/** The order in which members are written; the compiler keeps the lists complete. */
const reportMembers = Object.keys({
  schemaVersion: 0,
  command: 0,
  tool: 0,
  run: 0,
  passed: 0,
  total: 0,
  gate: 0,
  reports: 0,
  triggering: 0,
  tasks: 0,
  judges: 0,
  warnings: 0,
  files: 0,
  exitCode: 0,
} satisfies Record<keyof Report, 0>) as (keyof Report)[];

const skillMembers = Object.keys({
  skillId: 0,
  skillVersion: 0,
  skillDigest: 0,
  benchmarkId: 0,
  benchmarkVersion: 0,
  timestamp: 0,
  counts: 0,
  summary: 0,
  latency: 0,
  tokenCost: 0,
  byTag: 0,
  selected: 0,
  rank: 0,
} satisfies Record<keyof SkillReport, 0>) as (keyof SkillReport)[];

function* render(report: Report, cellsOf: CellReader): Generator<string> {
  let before = "{\n";
  for (const name of reportMembers) {
    if (report[name] === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    if (name === "reports") yield* jsonList(report.reports, "  ", (skill) => renderSkill(skill, cellsOf));
    else if (name === "tasks") yield* jsonList(report.tasks ?? [], "  ", (task) => [JSON.stringify(task)]);
    else yield indentedJson(report[name], "  ");
    before = ",\n";
  }
  yield "\n}\n";
}

function* renderSkill(skill: SkillReport, cellsOf: CellReader): Generator<string> {
  let before = "{\n";
  for (const name of skillMembers) {
    if (skill[name] === undefined) continue;
    yield `${before}      ${JSON.stringify(name)}: ${indentedJson(skill[name], "      ")}`;
    before = ",\n";
  }
  yield `,\n      "taskResults": `;
  // Cells are passed on as they were stored: reading and writing each again would be most of the work.
  yield* jsonList(cellsOf(skill.skillId, skill.benchmarkId), "      ", (cell) => [cell]);
  yield "\n    }";
}
