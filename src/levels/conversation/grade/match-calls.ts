import type { ConversationTurnRecord } from "../../../contract/conversation.ts";
import type { ExpectedCall } from "../../../contract/conversation-case.ts";
import type { Json } from "../../../shared/json/json.ts";
import { fitsPart } from "../../../shared/json/json-values.ts";

/** A call as a case can expect it: one that was made, or one in an invalid form. */
export interface SeenCall {
  turn: number;
  name: string;
  arguments: Json;
  /** `ok`, or the code it was answered with. */
  result: string;
  message: string | null;
}

export interface MatchedCalls {
  seen: readonly SeenCall[];
  /** For each expected call the index of the call that fits, and where the search for it began. */
  matches: readonly { fits: number | null; from: number }[];
  /** Turns whose refusal the case asks for. */
  meantTurns: ReadonlySet<number>;
}

/** Finds expected calls in their order; other calls may be between them. */
export function matchCalls(
  expected: readonly ExpectedCall[],
  turns: readonly ConversationTurnRecord[],
): MatchedCalls {
  const seen = turns.flatMap(seenIn);
  const matches: { fits: number | null; from: number }[] = [];
  let from = 0;
  for (const one of expected) {
    const found = seen.findIndex((call, index) => index >= from && fits(one, call));
    matches.push({ fits: found === -1 ? null : found, from });
    if (found !== -1) from = found + 1;
  }
  const meant = matches.flatMap(({ fits: index }) => (index === null ? [] : [seen[index]]));
  const refused = meant.filter((call) => call?.result === "malformed-call");
  return { seen, matches, meantTurns: new Set(refused.map((call) => call?.turn ?? 0)) };
}

/** Whether a call has the name and, among others, the arguments. */
export function fitsArguments(one: ExpectedCall, call: SeenCall): boolean {
  return call.name === one.name && fitsPart(one.arguments ?? {}, call.arguments);
}

/** Whether a call has the expected result. A malformed reply counts as a call only where that is expected. */
export function fitsResult({ result }: ExpectedCall, call: SeenCall): boolean {
  return result === undefined ? call.result !== "malformed-call" : result === call.result;
}

function fits(one: ExpectedCall, call: SeenCall): boolean {
  return fitsResult(one, call) && fitsArguments(one, call);
}

function seenIn({ turn, kind, call, lenient, rejection }: ConversationTurnRecord): SeenCall[] {
  if (kind === "rejected")
    return lenient === null ? [] : [{ turn, ...lenient, result: "malformed-call", message: rejection }];
  if (kind !== "call" || call === null) return [];
  const { name, arguments: sent, ok, code, message } = call;
  return [{ turn, name, arguments: sent, result: ok ? "ok" : (code ?? "unknown"), message }];
}
