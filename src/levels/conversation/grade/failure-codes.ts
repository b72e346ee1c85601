/** What can be wrong with a conversation. People's CI reads these words. */
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
  "OutputContains",
  "OutputRegex",
  "OutputFormat",
  "OutputSchema",
  "OutputFile",
] as const;
export type ConversationFailureCode = (typeof conversationFailureCodes)[number];
