import type { CaseReport } from "../../contract/document.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Expectation } from "../../contract/task.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { caseBlock, codeBlock, isBeginning, outputBlock } from "../../report/view/explain-cell.ts";
import { singleAnswer } from "../../scorers/answer-value.ts";
import type { Json } from "../../shared/json/json.ts";
import type { UnitDetails } from "./level.ts";

/** A cell without an answer may have none. */
export function taskDetails({ details }: CellResult): Partial<UnitDetails> {
  return details as Partial<UnitDetails>;
}

/** Expected and actual values, as the scorer compared them. */
export function explainTask(cell: CellResult, one: CaseReport | undefined): Block[] {
  const details = taskDetails(cell);
  const { weight = 1, tags = [], scorerType } = details;
  const partial = cell.score !== null && cell.score > 0 && cell.score < 1;
  const facts: Fact[] = [
    ...(scorerType === undefined ? [] : [{ label: "Scorer", value: scorerType }]),
    ...(partial ? [{ label: "Score", value: cell.score, unit: "score" } as const] : []),
    ...(weight === 1 ? [] : [{ label: "Weight", value: weight, unit: "count" } as const]),
    ...(tags.length === 0 ? [] : [{ label: "Tags", value: tags.join(", ") }]),
  ];
  return [...comparison(cell, one), ...(facts.length === 0 ? [] : [{ kind: "facts", facts } as const])];
}

function comparison(cell: CellResult, one: CaseReport | undefined): Block[] {
  const output = outputBlock(cell);
  if (one === undefined || one.expected === null) return output;
  if (isBeginning(one.expected, one)) return [caseBlock("Expected", one.expected, one), ...output];
  const expected = one.expected as Expectation;
  const compared = comparedValue(cell, expected);
  if (compared === undefined) return [...expectation(expected), ...output];
  if (cell.status === "pass") return output;
  // A truncated output cannot be compared.
  if (cell.status !== "fail" || cell.outputTruncated) return [codeBlock("Expected", compared), ...output];
  const actual = singleAnswer(cell.output, compared);
  const isPart = actual !== cell.output && Object.keys(cell.output as object).length > 1;
  return [
    { kind: "diff", title: "Expected and actual", expected: compared, actual },
    ...toleranceFact(expected),
    ...(isPart ? output : []),
  ];
}

/** The value that an answer was compared with; undefined where its scorer compares otherwise. */
function comparedValue(cell: CellResult, { value }: Expectation): Json | undefined {
  const { scorerType } = taskDetails(cell);
  return scorerType === "exact_match" || scorerType === "close_to" ? value : undefined;
}

function toleranceFact({ absTol, relTol }: Expectation): Block[] {
  const facts: Fact[] = [
    ...(absTol === undefined ? [] : [{ label: "Absolute tolerance", value: absTol }]),
    ...(relTol === undefined ? [] : [{ label: "Relative tolerance", value: relTol }]),
  ];
  return facts.length === 0 ? [] : [{ kind: "facts", facts }];
}

function each<Value>(value: Value | readonly Value[] | undefined): readonly Value[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as Value];
}

/** What an answer had to be, where that is more than one value. */
function expectation(expected: Expectation): Block[] {
  const {
    keywords,
    patterns,
    schema,
    judgePrompt,
    value,
    customScorerPath,
    code: errorCode,
    status,
    contains,
    retryable,
  } = expected;
  const facts: Fact[] = [
    ...(keywords ?? []).map((keyword) => ({ label: "Must contain", value: keyword })),
    ...(patterns ?? []).map((pattern) => ({ label: "Must match", value: `/${pattern}/` })),
    ...each(errorCode).map((value) => ({ label: "Expected error", value })),
    ...each(status).map((value) => ({ label: "Expected status", value })),
    ...each(contains).map((value) => ({ label: "Error must contain", value })),
    ...(retryable === undefined
      ? []
      : [{ label: "Error must be retryable", value: retryable ? "yes" : "no" }]),
    ...(customScorerPath === undefined ? [] : [{ label: "Scorer file", value: customScorerPath }]),
  ];
  return [
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts } as const]),
    ...(judgePrompt === undefined
      ? []
      : [{ kind: "text", title: "Asked of the judge", text: judgePrompt } as const]),
    ...(value === undefined ? [] : [codeBlock("Expected", value)]),
    ...(schema === undefined ? [] : [codeBlock("Schema", schema as Json)]),
  ];
}
