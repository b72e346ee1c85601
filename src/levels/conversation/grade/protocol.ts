import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { ConversationTurnRecord } from "../../../contract/conversation.ts";
import { shownLines, shownText } from "../../../shared/text/visible-text.ts";
import { type ConversationFault, type ConversationView, check } from "./conversation-view.ts";

/** Whether every call was valid on the first try. */
export function checkProtocol({ calls, rejected, matched }: ConversationView): CheckResult[] {
  if (calls.length + rejected.length === 0) return [];
  const faults = rejected.filter(({ turn }) => !matched.meantTurns.has(turn)).map(rejectionFault);
  return [check("every call is valid on the first try", { faults })];
}

/** Whether every call was valid in the end; null without calls, and where the conversation ended early. */
export function readAfterCorrection({ record, calls, rejected, silence }: ConversationView): boolean | null {
  if (calls.length + rejected.length === 0) return null;
  if (record.turns.at(-1)?.kind !== "rejected") return true;
  return silence === null ? false : null;
}

const wanted = 'one JSON object {"name", "arguments"}, and nothing else';

function rejectionFault({ turn, rejection, reply, lenient }: ConversationTurnRecord): ConversationFault {
  const meant = lenient === null ? "" : `; it looks like a call of ${shownText(lenient.name)}`;
  return {
    code: "CallRejected",
    message: `turn ${turn}: the reply is not a valid call: ${rejection ?? "malformed"}${meant}`,
    expected: wanted,
    actual: shownLines(reply, 300),
  };
}
