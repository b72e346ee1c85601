import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { Json } from "../../../shared/json/json.ts";
import { readJsonPath, valueAtSteps } from "../../../shared/json/read-json-path.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationFault, type ConversationView, check } from "./conversation-view.ts";
import { checkableValues, occursIn } from "./occurs-in.ts";

/** Whether the model went on from the results of its calls to a reply, and made use of them. */
export function checkContinuation(view: ConversationView): CheckResult[] {
  const checks: CheckResult[] = [];
  const hasResult = view.record.turns.some(({ kind }) => kind !== "final");
  if (hasResult || view.final === null) checks.push(checkFinal(view));
  return [...checks, ...checkUses(view)];
}

function checkFinal({ record, final, silence }: ConversationView): CheckResult {
  const name = "a final reply";
  if (final !== null) return check(name, {});
  const { end, problem } = record;
  const why = problem === null ? "" : `: ${shownText(problem, 300)}`;
  const fault = (code: ConversationFault["code"], message: string) =>
    check(name, { faults: [{ code, message: `${message}${why}`, expected: "a final reply", actual: end }] });
  if (end === "mock-exhausted") return fault("MockExhausted", "the script had no further turn");
  if (end === "mock-invalid") return fault("MockInvalid", "a turn of the script is invalid");
  if (silence !== null) return check(name, { unseen: silence });
  return fault("FinalMissing", `the conversation ended with ${end} and no final reply`);
}

function checkUses({ expect, calls, final, silence }: ConversationView): CheckResult[] {
  const { uses_result: paths = [] } = expect;
  const results = calls.map(({ call }) => (call.ok ? call.data : null));
  const occurs = occursIn(final ?? "");
  return paths.map((path) => {
    const name = `uses ${shownText(path)}`;
    if (final === null) return check(name, { unseen: silence ?? "there is no final reply" });
    const value = valueAtSteps(results, readJsonPath(path) ?? []);
    const values = checkableValues(value);
    const unused = values.filter((one) => !occurs(one));
    if (values.length > 0 && unused.length === 0) return check(name, {});
    const actual = shownLines(final, 300);
    if (values.length === 0)
      return check(name, {
        faults: [{ code: "ResultMissing", message: whyMissing(path, results), expected: path, actual }],
      });
    const words = shownText(JSON.stringify(unused[0]), 200);
    const message = `the final reply does not have ${words}, which is at ${shownText(path)}`;
    return check(name, { faults: [{ code: "ResultNotUsed", message, expected: value as Json, actual }] });
  });
}

function whyMissing(path: string, results: readonly Json[]): string {
  const shown = shownText(path);
  const index = readJsonPath(path)?.[0];
  if (typeof index !== "number" || index >= results.length) {
    const calls = results.length === 1 ? "there was one call" : `there were ${results.length || "no"} calls`;
    return `${shown} is not there: ${calls}`;
  }
  if (results[index] === null) return `${shown} is not there: call ${index + 1} has no result`;
  return `the result of call ${index + 1} has nothing at ${shown} to look for`;
}
