import type { CaseReport } from "../../contract/document.ts";
import { Judgment, type UnusableReply } from "../../contract/judge.ts";
import type { CellResult } from "../../contract/result.ts";
import type { QuerySide } from "../../contract/triggering.ts";
import type { Block, Fact } from "../../contract/view.ts";
import { codeBlock } from "../../report/view/explain-cell.ts";
import type { TriggerDetails } from "./details.ts";

/** A cell without an answer may have none. */
export function judgmentDetails({ details }: CellResult): Partial<TriggerDetails> {
  return details as Partial<TriggerDetails>;
}

function readJudgment({ output }: CellResult): Judgment | null {
  return Judgment.safeParse(output).data ?? null;
}

const sideWords: Record<QuerySide, string> = {
  should_match: "should load",
  should_not_match: "should not load",
};

const outcomeWords: Record<Judgment["outcome"], string> = {
  yes: "yes",
  no: "no",
  invalid: "unusable",
  error: "no reply",
};

/** What was expected, and what the judge replied. */
export function explainJudgment(cell: CellResult, one: CaseReport | undefined): Block[] {
  const { side, outcome, chosen } = judgmentDetails(cell);
  const judgment = readJudgment(cell);
  const belongsTo = (one?.expected as { belongsTo?: string | null } | null | undefined)?.belongsTo;
  const facts: Fact[] = [
    ...(side === undefined ? [] : [{ label: "Expected", value: sideWords[side] }]),
    ...(outcome === undefined ? [] : [{ label: "Answer", value: outcomeWords[outcome] }]),
    ...(chosen === undefined ? [] : [{ label: "Chosen", value: chosen ?? "none" }]),
    ...(belongsTo == null ? [] : [{ label: "Meant for", value: belongsTo }]),
    ...(judgment?.cached === true ? [{ label: "From the store", value: true }] : []),
  ];
  const { reasked = [], order = [] } = judgment ?? {};
  return [
    ...reasked.flatMap((reply, at) => [
      ...replyBlocks(reply, `Reply ${at + 1}, asked again`),
      { kind: "text", text: reply.why } as const,
    ]),
    ...(judgment?.outcome === "invalid"
      ? replyBlocks(judgment, reasked.length > 0 ? "Last reply" : "Reply")
      : []),
    ...(order.length === 0
      ? []
      : [{ kind: "text", title: "Skills in the order shown", text: order.join(", ") } as const]),
    ...(facts.length === 0 ? [] : [{ kind: "facts", facts } as const]),
  ];
}

/** A reply that cannot be used, and what it probably meant. */
function replyBlocks({ raw, lenientDecision }: UnusableReply, title: string): Block[] {
  return [
    codeBlock(title, raw),
    ...(lenientDecision === null
      ? []
      : [{ kind: "text", text: `It probably meant ${lenientDecision}, which decides nothing.` } as const]),
  ];
}
