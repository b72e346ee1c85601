import { MockScript } from "../../contract/agent-case.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { faultIn, readCaseDocument } from "./case-document.ts";
import { checkTurns } from "./check-mock.ts";

/** Reads a script in the place of a model: a file with `turns`, or a case that has one as `mock`. */
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
