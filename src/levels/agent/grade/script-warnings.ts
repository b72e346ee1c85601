import { countOf } from "../../../shared/text/count-of.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { namesOf, toolOf } from "./call.ts";
import { isExpected } from "./expected-errors.ts";
import type { RunView } from "./run-view.ts";

/** What a case on a script passes over, and its author should know. */
export function scriptWarnings(view: RunView): string[] {
  return view.isMock ? [...unusedEntries(view), ...unexpectedFailures(view)] : [];
}

function unusedEntries({ finished, case: { mock } }: RunView): string[] {
  const unused = finished.data.mock?.unused ?? 0;
  if (unused === 0 || mock?.strict === true) return [];
  return [`${countOf(unused, "entry", "entries")} of the script ${unused === 1 ? "was" : "were"} never used`];
}

/** A script writes its answer whatever happened before: what failed on the way would pass unseen. */
function unexpectedFailures(view: RunView): string[] {
  return view.calls.flatMap((call) => {
    const failed = call.executed.find(({ data }) => data.started && data.ok === false);
    const error = failed?.data.error;
    if (failed === undefined || error === undefined) return [];
    const names = namesOf(call);
    if (view.case.expect.errors.some((expected) => isExpected(expected, error.code, names))) return [];
    const tool = toolOf(call) ?? failed.data.action;
    const field = JSON.stringify({
      errors: [{ code: error.code, ...(tool !== failed.data.action && { tool }) }],
    });
    const what = `turn ${failed.turn}: ${shownText(tool)} failed with ${shownText(error.code)}`;
    return [`${what} (${shownText(error.message, 160)}); if this is intended, add "expect": ${field}`];
  });
}
