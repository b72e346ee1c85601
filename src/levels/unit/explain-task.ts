import type { CaseReport } from "../../contract/document.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Expectation, ExpectItem } from "../../contract/task.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { caseBlock, isBeginning, outputBlock } from "../../report/view/explain-cell.ts";
import { explainOne } from "./explain-expectation.ts";
import { explainSeveral, scoreTable, singleScores } from "./explain-several.ts";
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
  const { scorerType, expectations } = taskDetails(cell);
  const scores = expectations === undefined ? [] : [...singleScores(expectations)];
  if (one === undefined || one.expected === null || isBeginning(one.expected, one)) {
    const beginning =
      one === undefined || one.expected === null ? [] : [caseBlock("Expected", one.expected, one)];
    return [...scoreTable(scores, []), ...beginning, ...output];
  }
  if (Array.isArray(one.expected))
    return [...explainSeveral(cell, one.expected as ExpectItem[], scores), ...output];
  const { blocks, hasOutput } = explainOne(cell, one.expected as Expectation, {
    scorerType,
    isPassed: cell.status === "pass",
    isCompared: cell.status === "fail",
  });
  return hasOutput ? blocks : [...blocks, ...output];
}
