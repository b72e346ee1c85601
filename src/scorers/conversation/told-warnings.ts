import { countOf } from "../../base/count-of.ts";
import { shownText } from "../../base/visible-text.ts";
import type { ConversationView } from "./conversation-view.ts";

const mostWarnings = 50;

/** What a verdict passes over, and the author of a case or a skill should know. */
export function toldWarnings(view: ConversationView): string[] {
  const { record, calls } = view;
  const told = [
    ...unusedTurns(record.unused_turns ?? 0),
    ...record.selected
      .filter(({ truncated }) => truncated)
      .map(({ id }) => `the prompt of ${shownText(id)} was cut: it is longer than there is room for`),
    ...record.turns.flatMap(({ turn, warnings }) => warnings.map((warning) => `turn ${turn}: ${warning}`)),
    ...calls.flatMap(({ turn, call }) =>
      call.findings.map((finding) => `turn ${turn}: ${shownText(call.name)}: ${shownText(finding, 300)}`),
    ),
    ...unexpectedErrors(view),
  ];
  return [...new Set(told)].slice(0, mostWarnings);
}

function unusedTurns(unused: number): string[] {
  if (unused === 0) return [];
  return [`${countOf(unused, "turn")} of the script ${unused === 1 ? "was" : "were"} never asked for`];
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
      `turn ${turn}: ${shownText(name)} gave no result (${why}); if that is meant, say so: "expect": ${field}`,
    ];
  });
}
