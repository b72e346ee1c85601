import { inertJson } from "../base/inert-json.ts";
import type { CellReader, Report } from "../contract/report.ts";
import type { QueryReader, TriggerReport } from "../contract/trigger-report.ts";
import { jsonList } from "./json-pieces.ts";

/** The report of tasks that the page draws, with its cells. */
export function unitPageData(report: Report, cellsOf: CellReader): Iterable<string> {
  return pieces(report, {
    reports: () =>
      jsonList(report.reports, "", (skill) =>
        pieces(skill, {
          taskResults: () =>
            jsonList(cellsOf(skill.skillId, skill.benchmarkId), "", (cell) => [JSON.stringify(cell)]),
        }),
      ),
  });
}

/** The report of trigger tests that the page draws, with its queries. */
export function triggerPageData(report: TriggerReport, queriesOf: QueryReader): Iterable<string> {
  return pieces(report, {
    results: () =>
      jsonList(report.results, "", (result) =>
        pieces(result, { queries: () => inertList(queriesOf(result.skillId)) }),
      ),
  });
}

/** A report of agent runs or plans that the page draws, with its results. */
export function resultsPageData(report: object, results: () => Iterable<unknown>): Iterable<string> {
  return pieces(report, { results: () => inertList(results()) });
}

function inertList(items: Iterable<unknown>): Iterable<string> {
  return jsonList(items, "", (item) => [inertJson(item)]);
}

/** An object member by member; `streamed` writes what is too much for one piece. */
function* pieces(value: object, streamed: Record<string, () => Iterable<string>>): Generator<string> {
  const { ...plain } = value as Record<string, unknown>;
  for (const name of Object.keys(streamed)) delete plain[name];
  const head = inertJson(plain).slice(0, -1);
  yield head;
  let before = head === "{" ? "" : ",";
  for (const [name, write] of Object.entries(streamed)) {
    yield `${before}${JSON.stringify(name)}:`;
    yield* write();
    before = ",";
  }
  yield "}";
}
