import { countOf } from "../../../shared/text/count-of.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import type { ConversationView } from "./conversation-view.ts";

const maxWarnings = 50;

/** What a verdict passes over, and the author of a case or a skill should know. */
export function conversationWarnings(view: ConversationView): string[] {
  const { record, calls } = view;
  const warnings = [
    ...unusedTurns(record.unused_turns ?? 0),
    ...record.selected
      .filter(({ truncated }) => truncated)
      .map(({ id }) => `the prompt of ${shownText(id)} was truncated to fit the context`),
    ...record.turns.flatMap(({ turn, warnings }) => warnings.map((warning) => `turn ${turn}: ${warning}`)),
    ...calls.flatMap(({ turn, call }) =>
      call.findings.map((finding) => `turn ${turn}: ${shownText(call.name)}: ${shownText(finding, 300)}`),
    ),
    ...unexpectedErrors(view),
  ];
  return [...new Set(warnings)].slice(0, maxWarnings);
}

function unusedTurns(unused: number): string[] {
  if (unused === 0) return [];
  return [`${countOf(unused, "turn")} of the script ${unused === 1 ? "was" : "were"} never used`];
}

/** A script writes its answer whatever its calls gave: what failed on the way would pass unseen. */
function unexpectedErrors({ record, expect, calls }: ConversationView): string[] {
  if (record.unused_turns === null) return [];
  return calls.flatMap(({ turn, call }) => {
    const { name, ok, code, message } = call;
    if (ok || code === null) return [];
    if (expect.tool_calls?.some((one) => one.name === name && one.result === code) === true) return [];
    const field = JSON.stringify({ tool_calls: [{ name, result: code }] });
    const why = message === null ? code : shownText(message, 160);
    return [
      `turn ${turn}: ${shownText(name)} gave no result (${why}); if this is intended, add "expect": ${field}`,
    ];
  });
}
