import { inertJson } from "../base/inert-json.ts";
import type {
  QueryReader,
  TriggerReport,
  TriggerReporter,
  TriggerResult,
} from "../contract/trigger-report.ts";
import { indentedJson, jsonList } from "./json-pieces.ts";

/** The whole report on triggering for machines: what `trigger --json` prints and what every other command reads. */
export const triggerJsonReporter: TriggerReporter = { format: "json", extension: "json", render };

/** The order in which members are written; the compiler keeps the lists complete. */
const reportMembers = Object.keys({
  schemaVersion: 0,
  command: 0,
  tool: 0,
  run: 0,
  passed: 0,
  total: 0,
  gate: 0,
  results: 0,
  confusion: 0,
  warnings: 0,
  files: 0,
  exitCode: 0,
} satisfies Record<keyof TriggerReport, 0>) as (keyof TriggerReport)[];

const resultMembers = Object.keys({
  skillId: 0,
  skillDigest: 0,
  judge: 0,
  skipped: 0,
  queries: 0,
  passed: 0,
  failed: 0,
  inconclusive: 0,
  metrics: 0,
  confusion: 0,
  invalidRate: 0,
  usd: 0,
  repeats: 0,
  threshold: 0,
  positionBias: 0,
  lenient: 0,
  tokensIn: 0,
  tokensOut: 0,
  cached: 0,
  latency: 0,
  gate: 0,
  notes: 0,
} satisfies Record<keyof TriggerResult | "queries", 0>) as (keyof TriggerResult | "queries")[];

function* render(report: TriggerReport, queriesOf: QueryReader): Generator<string> {
  let before = "{\n";
  for (const name of reportMembers) {
    if (report[name] === undefined) continue;
    yield `${before}  ${JSON.stringify(name)}: `;
    if (name === "results") yield* jsonList(report.results, "  ", (result) => renderSkill(result, queriesOf));
    else yield indentedJson(report[name], "  ");
    before = ",\n";
  }
  yield "\n}\n";
}

function* renderSkill(result: TriggerResult, queriesOf: QueryReader): Generator<string> {
  let before = "{\n";
  for (const name of resultMembers) {
    yield `${before}      ${JSON.stringify(name)}: `;
    if (name === "queries") yield* jsonList(queriesOf(result.skillId), "      ", (line) => [inertJson(line)]);
    else yield indentedJson(result[name], "      ");
    before = ",\n";
  }
  yield "\n    }";
}
