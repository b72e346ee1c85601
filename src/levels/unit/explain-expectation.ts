import type { CellResult } from "../../contract/result.ts";
import type { Expectation } from "../../contract/task.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { codeBlock } from "../../report/view/explain-cell.ts";
import { singleAnswer } from "../../scorers/answer-value.ts";
import type { Json } from "../../shared/json/json.ts";

interface Explained {
  blocks: Block[];
  /** Whether the output is in them. */
  hasOutput: boolean;
}

interface Decided {
  scorerType: string | undefined;
  isPassed: boolean;
  /** Whether an answer was compared. */
  isCompared: boolean;
}

/** What one expectation was, and how the answer differs from it. */
export function explainOne(
  cell: CellResult,
  expected: Expectation,
  { scorerType, isPassed, isCompared }: Decided,
): Explained {
  const compared = comparedValue(scorerType, expected);
  if (compared === undefined) return { blocks: expectation(expected), hasOutput: false };
  if (isPassed) return { blocks: [], hasOutput: false };
  // A truncated output cannot be compared.
  if (!isCompared || cell.outputTruncated)
    return { blocks: [codeBlock("Expected", compared)], hasOutput: false };
  const actual = singleAnswer(cell.output, compared);
  const isPart = actual !== cell.output && Object.keys(cell.output as object).length > 1;
  return {
    blocks: [
      { kind: "diff", title: "Expected and actual", expected: compared, actual },
      ...toleranceFact(expected),
    ],
    hasOutput: !isPart,
  };
}

/** The value that an answer was compared with; undefined where its scorer compares otherwise. */
function comparedValue(scorerType: string | undefined, { value }: Expectation): Json | undefined {
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
