import { readJsonPath, valueAtSteps } from "../../base/read-json-path.ts";
import { shownLines, shownText } from "../../base/visible-text.ts";
import type { Json } from "../../contract/json.ts";
import type { Look } from "../agent/dimension.ts";
import { type ConversationFault, type ConversationView, look } from "./conversation-view.ts";
import { occursIn, tellingValues } from "./occurs-in.ts";

/** Whether the model went on from the results of its calls to a reply, and made use of them. */
export function lookAtContinuation(view: ConversationView): Look[] {
  const looks: Look[] = [];
  const hasResult = view.record.turns.some(({ kind }) => kind !== "final");
  if (hasResult || view.final === null) looks.push(lookAtFinal(view));
  return [...looks, ...lookAtUses(view)];
}

function lookAtFinal({ record, final, silence }: ConversationView): Look {
  const name = "a final reply";
  if (final !== null) return look(name, {});
  const { end, problem } = record;
  const why = problem === null ? "" : `: ${shownText(problem, 300)}`;
  const fault = (code: ConversationFault["code"], message: string) =>
    look(name, { faults: [{ code, message: `${message}${why}`, expected: "a final reply", actual: end }] });
  if (end === "mock-exhausted") return fault("MockExhausted", "the script had no further turn");
  if (end === "mock-invalid") return fault("MockInvalid", "a turn of the script cannot be said");
  if (silence !== null) return look(name, { unseen: silence });
  return fault("FinalMissing", `the conversation ended with ${end} and no final reply`);
}

function lookAtUses({ expect, calls, final, silence }: ConversationView): Look[] {
  const { uses_result: paths = [] } = expect;
  const results = calls.map(({ call }) => (call.ok ? call.data : null));
  const occurs = occursIn(final ?? "");
  return paths.map((path) => {
    const name = `uses ${shownText(path)}`;
    if (final === null) return look(name, { unseen: silence ?? "there is no final reply" });
    const value = valueAtSteps(results, readJsonPath(path) ?? []);
    const told = tellingValues(value);
    const unused = told.filter((one) => !occurs(one));
    if (told.length > 0 && unused.length === 0) return look(name, {});
    const actual = shownLines(final, 300);
    if (told.length === 0)
      return look(name, {
        faults: [{ code: "ResultMissing", message: whyMissing(path, results), expected: path, actual }],
      });
    const words = shownText(JSON.stringify(unused[0]), 200);
    const message = `the final reply does not have ${words}, which is at ${shownText(path)}`;
    return look(name, { faults: [{ code: "ResultNotUsed", message, expected: value as Json, actual }] });
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
  return `the result of call ${index + 1} has nothing at ${shown} that could be looked for`;
}
