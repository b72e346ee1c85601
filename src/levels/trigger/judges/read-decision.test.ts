import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readDecision } from "./read-decision.ts";

describe("a verdict is the whole reply", () => {
  test.each([
    ["DECISION=YES REASON=Asks to refactor a file.", "yes", "Asks to refactor a file."],
    ["DECISION=NO REASON=Only wants an explanation.", "no", "Only wants an explanation."],
    ["\n\n  DECISION=YES REASON=Asks to refactor a file.\n\n", "yes", "Asks to refactor a file."],
    ["\r\nDECISION=NO REASON=No.\r\n\r\n", "no", "No."],
    ["DECISION=YES REASON=文件重构", "yes", "文件重构"],
    ["DECISION=YES REASON=the YES or NO of it, REASON= again", "yes", "the YES or NO of it, REASON= again"],
    [`DECISION=NO REASON=${"x".repeat(400)}`, "no", "x".repeat(400)],
  ])("%j", (reply, outcome, reason) => {
    expect(readDecision(reply)).toEqual({ ok: true, outcome, reason });
  });
});

describe("anything else is none", () => {
  test.each([
    ["no reason", "DECISION=YES"],
    ["an empty reason", "DECISION=YES REASON="],
    ["a blank reason", "DECISION=YES REASON= "],
    ["a reason after a space", "DECISION=YES REASON= because"],
    ["a word that is neither", "DECISION=NOT_SURE REASON=x"],
    ["a word that begins like one", "DECISION=YESTERDAY REASON=x"],
    ["a word that begins like the other", "DECISION=NONE REASON=x"],
    ["small letters", "decision=yes REASON=x"],
    ["a small word", "DECISION=yes REASON=x"],
    ["a small key of the reason", "DECISION=YES reason=x"],
    ["spaces around the sign", "DECISION = YES REASON=x"],
    ["a colon", "DECISION: YES REASON=x"],
    ["full-width letters", "ＤＥＣＩＳＩＯＮ＝ＹＥＳ REASON=x"],
    ["a full-width word", "DECISION=ＹＥＳ REASON=x"],
    ["a letter that only looks right", "DECISION=YЕS REASON=x"],
    ["two spaces", "DECISION=YES  REASON=x"],
    ["a tab", "DECISION=YES\tREASON=x"],
    ["the reason on the next line", "DECISION=YES\nREASON=x"],
    ["a second decision in the reason", "DECISION=YES REASON=I considered DECISION=NO"],
    ["a second decision in small letters", "DECISION=YES REASON=I considered decision=no"],
    ["two decision lines", "DECISION=YES REASON=a\nDECISION=NO REASON=b"],
    ["the same line twice", "DECISION=YES REASON=a\nDECISION=YES REASON=a"],
    ["prose before", "Sure!\nDECISION=YES REASON=x"],
    ["prose before, on the line", "Sure! DECISION=YES REASON=x"],
    ["prose after a lone carriage return", "DECISION=YES REASON=x\rI mean no."],
    ["prose after a line separator", "DECISION=YES REASON=x\u2028I mean no."],
    ["prose after", "DECISION=YES REASON=x\nHope this helps."],
    ["a code fence", "```\nDECISION=YES REASON=x\n```"],
    ["bold type", "**DECISION=YES REASON=x**"],
    ["quotes", '"DECISION=YES REASON=x"'],
    ["JSON", '{"decision":"YES","reason":"x"}'],
    [
      "the format line, then a decision",
      "DECISION=<YES|NO> REASON=<one short sentence>\nDECISION=YES REASON=x",
    ],
    ["the format line alone", "DECISION=<YES|NO> REASON=<one short sentence>"],
    ["nothing", ""],
    ["blanks", " \r\n\t "],
    ["a bare word", "YES"],
    ["prose", "I would load this skill."],
    ["a reason of 401 characters", `DECISION=YES REASON=${"x".repeat(401)}`],
    ["a verdict cut off", "DECISION=YES REAS"],
    ["a mark of the prompt around it", "[[end 5d0c91ab]]\nDECISION=YES REASON=x"],
    ["a flood", `DECISION=YES REASON=x${"\ny".repeat(100_000)}`],
  ])("%s", (_name, reply) => {
    const decision = readDecision(reply);

    expect(decision.ok).toBe(false);
    if (!decision.ok) expect(decision.why).toMatch(/^.{5,120}$/);
  });

  test("whatever is read was written", () => {
    const part = fc.constantFrom(
      "DECISION=",
      "YES",
      "NO",
      " ",
      "REASON=",
      "x",
      "\n",
      "decision=",
      "=",
      "\r\n",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
        const reply = parts.join("");
        const decision = readDecision(reply);
        if (!decision.ok) return;
        const { outcome, reason } = decision;
        expect(reply.trim()).toBe(`DECISION=${outcome.toUpperCase()} REASON=${reason}`);
      }),
    );
  });
});
