import type { ConversationCaseFile } from "../../contract/conversation-case.ts";
import { quotesIn, readJsonPath } from "../../shared/json/read-json-path.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { checkOutput, checkSelection } from "./check-expectations.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** Refuses scripts that say nothing and expectations that no conversation can fulfil; warns of those that have no effect. */
export function checkConversation(file: ConversationCaseFile, report: ProblemReporter): void {
  const { expect } = file;
  checkScript(file, report);
  checkSelection(expect, report);
  checkCalls(file, report);
  checkUses(file, report);
  if (expect.output !== undefined) checkOutput(expect.output, report);
  if (expect.output?.judge !== undefined && !expect.output.contract)
    throw report.fault(["expect", "output", "judge"], "judges the contract of a skill: add contract: true");
  warnOfForced(file, report);
}

function checkScript({ mock }: ConversationCaseFile, report: ProblemReporter): void {
  let calls = 0;
  for (const [index, turn] of (mock?.turns ?? []).entries()) {
    const at = (...steps: PropertyKey[]) => ["mock", "turns", index, ...steps];
    const written = (["call", "final", "raw"] as const).filter((key) => turn[key] !== undefined);
    if (written.length !== 1)
      throw report.fault(
        at(),
        `must have exactly one of call, final and raw, not ${written.join(" and ") || "none"}`,
      );
    if (turn.final === undefined)
      calls++; // of a raw reply only the reader of replies knows
    else checkFinal(turn.final, calls, at("final"), report);
  }
}

function checkFinal(
  text: string,
  calls: number,
  steps: readonly PropertyKey[],
  report: ProblemReporter,
): void {
  if (text.trim() === "") throw report.fault(steps, "must not be empty", "use raw for a blank reply");
  const found = quotesIn(text);
  if (!found.ok) throw report.fault(steps, found.problem);
  const early = found.quotes.find((quote) => quote.steps[0] >= calls);
  if (early !== undefined)
    throw report.fault(
      steps,
      `quotes results[${early.steps[0]}], but ${callsInWords(calls)} before it; the first is results[0]`,
    );
}

function checkCalls({ expect, constraints }: ConversationCaseFile, report: ProblemReporter): void {
  const expected = expect.tool_calls ?? [];
  const { max_turns, max_tool_calls } = constraints;
  const good = expected.filter(({ result }) => result === "ok").length;
  const asks = (count: number, limit: string) =>
    report.fault(["expect", "tool_calls"], `expects ${pluralize(count, "call")}, but constraints.${limit}`);
  if (good > max_tool_calls) throw asks(good, `max_tool_calls is ${max_tool_calls}`);
  if (expected.length > max_turns) throw asks(expected.length, `max_turns is ${max_turns}`);
}

function checkUses(file: ConversationCaseFile, report: ProblemReporter): void {
  const { uses_result: paths = [], tool_calls } = file.expect;
  for (const [index, path] of paths.entries()) {
    const fault = (problem: string) => report.fault(["expect", "uses_result", index], problem);
    const first = readJsonPath(path)?.[0];
    if (typeof first !== "number") throw fault("must be a path into the list of results, such as $[0].total");
    if (tool_calls?.length === 0) throw fault("refers to a result, but expect.tool_calls allows no call");
    const calls = maxCalls(file);
    if (first >= calls)
      throw fault(`refers to the result of call ${first + 1}, but ${callsInWords(calls)}; the first is $[0]`);
  }
}

/** A final reply must follow. */
function maxCalls({ mock, constraints }: ConversationCaseFile): number {
  const scripted = mock?.turns.filter(({ final }) => final === undefined).length ?? Number.POSITIVE_INFINITY;
  return Math.min(scripted, constraints.max_turns - 1);
}

function callsInWords(calls: number): string {
  return calls === 0 ? "there can be no call" : `there can be ${calls === 1 ? "one call" : `${calls} calls`}`;
}

function warnOfForced({ setup, expect }: ConversationCaseFile, report: ProblemReporter): void {
  if (setup.route === "auto") return;
  for (const key of ["skills_all_of", "skills_none_of"] as const) {
    if (expect[key] === undefined) continue;
    const { shown, jsonPath } = report.locate(["expect", key]);
    const forced = [setup.route.forced].flat().map((id) => shownText(id));
    report.warn(`${shown}: ${jsonPath} has no effect: ${forced.join(", ")} is forced, so nothing is routed`);
  }
}
