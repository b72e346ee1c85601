import { type AgentCaseFile, MockScript, type MockTurn } from "../../contract/agent-case.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { faultIn, readCaseDocument } from "./case-document.ts";
import type { ProblemReporter } from "./raw-case.ts";

/** Refuses entries of a script that say nothing, or more than one thing. */
export function checkMock({ mock }: AgentCaseFile, report: ProblemReporter): void {
  checkTurns(mock?.turns ?? [], (steps, problem) => report.fault(["mock", "turns", ...steps], problem));
}

function checkTurns(
  turns: readonly MockTurn[],
  fault: (steps: readonly PropertyKey[], problem: string) => Error,
): void {
  for (const [index, turn] of turns.entries()) {
    const written = (["action", "raw", "error"] as const).filter((key) => turn[key] !== undefined);
    if (written.length !== 1)
      throw fault(
        [index],
        `must have exactly one of action, raw and error, not ${written.join(" and ") || "none"}`,
      );
    for (const key of ["plan_update", "diagnostics"] as const)
      if (turn[key] !== undefined && turn.action === undefined)
        throw fault([index, key], "is only valid beside an action");
  }
}

/** A bad action in a script is usually intended: then it has to be written as `raw`. */
export function hintForMock(steps: readonly PropertyKey[]): string | undefined {
  const isInAction = steps[0] === "mock" && steps[1] === "turns" && steps[3] === "action";
  return isInAction ? "to script a reply that is not a valid action, use raw" : undefined;
}

/** Reads a script that replaces a model: a file with `turns`, or a case that has one as `mock`. */
export async function readMockFile(file: string, shown: string): Promise<MockScript> {
  const document = await readCaseDocument(file, shown, "case-invalid");
  const { value } = document;
  const isCase = isMap(value) && value.mock !== undefined;
  const steps = isCase ? ["mock"] : [];
  const read = MockScript.safeParse(isCase ? value.mock : value);
  if (!read.success) {
    const problem = zodProblem(read.error, isCase ? value.mock : value);
    throw faultIn(document, [...steps, ...problem.steps], problem.reason, {
      hint: "a script is { turns: [ { action: { type, payload } } ] }",
    });
  }
  checkTurns(read.data.turns, (way, problem) => faultIn(document, [...steps, "turns", ...way], problem));
  return read.data;
}
