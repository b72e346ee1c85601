import { expect, test } from "vitest";
import { lenientDecision } from "./read-decision.ts";

test.each([
  ["DECISION=YES", "yes"],
  ["decision=yes REASON=x", "yes"],
  ["DECISION = NO REASON=x", "no"],
  ["DECISION: YES REASON=x", "yes"],
  ["**Decision:** No", "no"],
  ["ＤＥＣＩＳＩＯＮ＝ＹＥＳ", "yes"],
  ["```\nDECISION=YES REASON=there is NO doubt\n```", "yes"],
  ['{"decision": "YES", "reason": "no other skill fits"}', "yes"],
  ["DECISION=<YES|NO> REASON=<one short sentence>\nDECISION=NO REASON=x", "no"],
  ["DECISION=<YES> REASON=x", "yes"],
  ["My decision is no.", "no"],
  ["Sure!\nDECISION=YES REASON=x", "yes"],
  ["DECISION=YES REASON=a\nDECISION=YES REASON=a", "yes"],
  ["Yes, this skill fits.", "yes"],
  ["The answer is: **no**.", "no"],
  ["I would say YES because it asks for that", "yes"],
])("%j meant %s", (reply, decision) => {
  expect(lenientDecision(reply)).toBe(decision);
});

test.each([
  "",
  "DECISION=<YES|NO> REASON=<one short sentence>",
  "DECISION=NOT_SURE REASON=x",
  "DECISION=YESTERDAY REASON=x",
  "DECISION=YES REASON=I considered DECISION=NO",
  "decision=yes, but then decision=no",
  "I see no problem with that skill here",
  "It depends: YES or NO",
  "I think that this skill would be a good fit here.",
  "Nothing to say about yesterday",
])("%j meant neither", (reply) => {
  expect(lenientDecision(reply)).toBeNull();
});

test("a flood is read in no time, as far as anybody would", () => {
  expect(lenientDecision("decision ".repeat(200_000))).toBeNull();
  expect(lenientDecision("\ufdfa".repeat(200_000))).toBeNull();
});
