import { describe, expect, test } from "vitest";
import { lenientChoice, readChoice } from "./read-choice.ts";

const ids = new Set(["refactor", "explain-code", "Code Review", "none-at-all"]);

describe("a choice is the whole reply, and names a listed id or NONE", () => {
  test.each([
    ["CHOICE=refactor REASON=It asks for that.", "refactor"],
    ["\r\nCHOICE=explain-code REASON=x\r\n", "explain-code"],
    ["CHOICE=Code Review REASON=x", "Code Review"],
    ["CHOICE=refactor REASON=a REASON=b", "refactor"],
    ["CHOICE=NONE REASON=Nothing fits.", null],
    ["CHOICE=none-at-all REASON=x", "none-at-all"],
  ])("%j", (reply, chosen) => {
    expect(readChoice(reply, ids)).toMatchObject({ ok: true, chosen });
  });
});

describe("anything else is none", () => {
  test.each([
    ["an id that is not listed", "CHOICE=translate REASON=x"],
    ["the installed name, which is not an id", "CHOICE=refactor-code REASON=x"],
    ["the beginning of an id", "CHOICE=refac REASON=x"],
    ["more than an id", "CHOICE=refactor,explain-code REASON=x"],
    ["capitals that the id does not have", "CHOICE=Refactor REASON=x"],
    ["none in small letters", "CHOICE=none REASON=x"],
    ["no choice", "CHOICE= REASON=x"],
    ["no reason", "CHOICE=refactor REASON="],
    ["nothing but a choice", "CHOICE=refactor"],
    ["the bare id", "refactor"],
    ["two choices", "CHOICE=refactor REASON=a\nCHOICE=NONE REASON=b"],
    ["a second choice in the reason", "CHOICE=refactor REASON=or choice=NONE"],
    ["prose before", "Sure. CHOICE=refactor REASON=x"],
    ["prose after", "CHOICE=refactor REASON=x\nBye."],
    ["a code fence", "```\nCHOICE=refactor REASON=x\n```"],
    ["brackets", "CHOICE=<refactor> REASON=x"],
    ["the other key", "DECISION=YES REASON=x"],
    ["nothing", ""],
    ["a long reason", `CHOICE=refactor REASON=${"x".repeat(401)}`],
    ["a long word", `CHOICE=${"x".repeat(100_000)} REASON=x`],
    ["a name of objects in general", "CHOICE=__proto__ REASON=x"],
  ])("%s", (_name, reply) => {
    expect(readChoice(reply, ids).ok).toBe(false);
  });
});

const idByName = new Map([
  ["refactor", "refactor"],
  ["refactor-code", "refactor"],
  ["explain-code", "explain-code"],
]);

test.each([
  ["CHOICE=Refactor REASON=x", "refactor"],
  ["CHOICE=refactor-code REASON=x", "refactor"],
  ["```\nchoice: `explain-code`\n```", "explain-code"],
  ["**refactor**", "refactor"],
  ['{"choice": "refactor", "reason": "x"}', "refactor"],
  ["CHOICE=<skill-id|NONE> REASON=<…>\nCHOICE=none REASON=x", null],
  ["CHOICE=refactor or CHOICE=explain-code", undefined],
  ["CHOICE=translate REASON=x", undefined],
  ["I have no idea", undefined],
  ["", undefined],
])("a lenient reader takes %j for %j", (reply, id) => {
  expect(lenientChoice(reply, idByName)).toBe(id);
});
