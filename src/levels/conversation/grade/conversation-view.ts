import type { JudgedWord } from "../../../cases/ask-about-sentences.ts";
import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type {
  ConversationEnd,
  ConversationRecord,
  ConversationTurnRecord,
  RecordedCall,
} from "../../../contract/conversation.ts";
import type { ConversationExpect } from "../../../contract/conversation-case.ts";
import type { LoadedConversationCase } from "../../../contract/loaded-case.ts";
import type { PromisedOutput } from "../../../contract/output-contract.ts";
import { type MatchedCalls, matchCalls } from "./match-calls.ts";

/** A conversation with its case, as every dimension sees it. */
export interface ConversationView {
  record: ConversationRecord;
  loaded: LoadedConversationCase;
  expect: ConversationExpect;
  contract: PromisedOutput | null;
  /** What a judge says of the contract in prose; absent where none was asked. */
  prose: JudgedWord | undefined;
  /** In order. */
  calls: readonly { turn: number; call: RecordedCall }[];
  /** Replies that look like a call but are not valid ones. */
  rejected: readonly ConversationTurnRecord[];
  matched: MatchedCalls;
  /** The final reply; null where there is none. */
  final: string | null;
  /** Why the absence of something proves nothing; null where it does prove something. */
  silence: string | null;
}

/** A fault of a conversation, whose code is a known one. */
export type ConversationFault = Omit<Fault, "code" | "at"> & { code: ConversationFailureCode };

export function viewConversation(
  record: ConversationRecord,
  loaded: LoadedConversationCase,
  { contract, prose }: Pick<ConversationView, "contract" | "prose">,
): ConversationView {
  const { expect } = loaded.case;
  const calls = record.turns.flatMap(({ kind, turn, call }) =>
    kind === "call" && call !== null ? [{ turn, call }] : [],
  );
  return {
    record,
    loaded,
    expect,
    contract,
    prose,
    calls,
    rejected: record.turns.filter(({ kind }) => kind === "rejected"),
    matched: matchCalls(expect.tool_calls ?? [], record.turns),
    final: record.final === null || record.final.trim() === "" ? null : record.final,
    silence: givesNoVerdict(record.end) ? "the conversation ended early" : null,
  };
}

/** Whether the rest of the conversation is unknown. */
export function givesNoVerdict(end: ConversationEnd): boolean {
  return end === "model-failed" || end === "cassette-miss" || end === "host-failed";
}

/** A check of something that the case, or the protocol itself, requires. */
export function check(
  name: string,
  found: { faults?: readonly ConversationFault[]; unseen?: string | null; exercised?: boolean },
): CheckResult {
  const { faults = [], unseen = null, exercised = unseen === null } = found;
  return { name, isRequired: true, exercised, unseen, faults };
}

/** What can be wrong with a conversation. CI pipelines of users rely on these codes. */
export const conversationFailureCodes = [
  "HitMissing",
  "HitForbidden",
  "CallRejected",
  "CallMissing",
  "CallArguments",
  "CallResult",
  "CallOrder",
  "CallUnexpected",
  "FinalMissing",
  "MockExhausted",
  "MockInvalid",
  "ResultMissing",
  "ResultNotUsed",
  "OutputContract",
  "OutputProse",
  "OutputContains",
  "OutputRegex",
  "OutputFormat",
  "OutputSchema",
  "OutputFile",
] as const;
type ConversationFailureCode = (typeof conversationFailureCodes)[number];
