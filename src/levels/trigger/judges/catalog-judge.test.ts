import { expect, test } from "vitest";
import { judgedSkill, questionAbout } from "../../../../test/sample-judging.ts";
import { type MockLine, mockModel } from "../../../models/mock.ts";
import { UserError } from "../../../shared/user-error.ts";
import { type CatalogAsking, catalogJudge } from "./catalog-judge.ts";

const { signal } = new AbortController();
const refactor = judgedSkill("refactor", { triggers: ["clean up"] }, ["refactor-code"]);
const explain = judgedSkill("explain", { notFor: ["changes"] });
const translate = judgedSkill("translate");
const catalog = [refactor, explain, translate];

function judging(line: MockLine, facts: Partial<CatalogAsking> = {}) {
  const model = mockModel([line], { repeatLast: true });
  return { model, judge: catalogJudge({ model, catalog, seed: 0, reask: 0, timeoutMs: 1000, ...facts }) };
}

const question = (text: string, repeat = 0) => questionAbout(refactor, text, repeat);

test("a yes means that the skill was the one chosen; who was, and in which order they were shown, is reported", async () => {
  const { judge } = judging("CHOICE=refactor REASON=It asks for that.");

  const yes = await judge.judge(question("do it"), signal);
  const no = await judge.judge(questionAbout(explain, "do it"), signal);

  expect(yes).toMatchObject({ outcome: "yes", chosen: "refactor", reason: "It asks for that." });
  expect(no).toMatchObject({ outcome: "no", chosen: "refactor" });
  expect(yes.order?.toSorted()).toEqual(["explain", "refactor", "translate"]);
});

test("no skill at all is a no", async () => {
  const { judge } = judging("CHOICE=NONE REASON=Nothing fits.");

  expect(await judge.judge(question("hi"), signal)).toMatchObject({ outcome: "no", chosen: null });
});

test("an installed name is not an id: invalid, though a lenient reader knows who was meant", async () => {
  const { judge } = judging("CHOICE=refactor-code REASON=x");

  expect(await judge.judge(question("hi"), signal)).toMatchObject({
    outcome: "invalid",
    why: '"refactor-code" is not a listed id',
    lenientDecision: "yes",
    order: expect.any(Array),
  });
  expect(await judge.judge(questionAbout(explain, "hi"), signal)).toMatchObject({
    outcome: "invalid",
    lenientDecision: "no",
  });
});

test("the prompt shows every card by its id, in the order told, between marks", async () => {
  const { judge, model } = judging("CHOICE=NONE REASON=x");
  const answer = await judge.judge(question("clean this up"), signal);
  const prompt = model.requests[0]?.messages[0]?.text ?? "";
  const tag = /\[\[query ([0-9a-f]{8})\]\]/.exec(prompt)?.[1];

  expect(Array.from(prompt.matchAll(/^SKILL: (.*)$/gm), ([, id]) => id)).toEqual(answer.order);
  expect(prompt).toContain(`[[card ${tag}]]
SKILL: refactor
DESCRIPTION: Does refactor.
POSITIVE TRIGGERS:
- clean up
NEGATIVE TRIGGERS (do NOT use for):
- (none)
[[end ${tag}]]`);
  expect(prompt).toContain("\nCHOICE=<skill-id|NONE> REASON=<one short sentence>\n");
  expect(prompt.endsWith(`[[query ${tag}]]\nUSER QUERY: clean this up\n[[end ${tag}]]`)).toBe(true);
  expect(prompt).not.toContain("refactor-code");
});

test("the same request is the same prompt, whichever skill it is asked for and whatever it is called there", async () => {
  const { judge, model } = judging("CHOICE=NONE REASON=x");
  await judge.judge(question("do it"), signal);
  await judge.judge({ ...questionAbout(explain, "do it"), query: { id: "q7", text: "do it" } }, signal);
  await judge.judge(question("do it", 1), signal);

  const [first, second, third] = model.requests;
  expect(second).toEqual(first);
  expect(third?.messages).not.toEqual(first?.messages);
});

test("the order of folders changes nothing", async () => {
  const one = judging("CHOICE=NONE REASON=x");
  const other = judging("CHOICE=NONE REASON=x", { catalog: catalog.toReversed() });
  await one.judge.judge(question("do it"), signal);
  await other.judge.judge(question("do it"), signal);

  expect(other.model.requests).toEqual(one.model.requests);
  expect(other.judge.identity).toEqual(one.judge.identity);
});

test("another seed, card or skill is another judge", () => {
  const identityOf = (facts: Partial<CatalogAsking>) => JSON.stringify(judging("", facts).judge.identity);

  const identities = [
    identityOf({}),
    identityOf({ seed: 1 }),
    identityOf({ catalog: [refactor, explain] }),
    identityOf({ catalog: [refactor, explain, judgedSkill("translate", { triggers: ["x"] })] }),
  ];
  expect(new Set(identities).size).toBe(4);
});

test("more than 100 cards are refused with the advice to filter; none is left out in silence", () => {
  const many = Array.from({ length: 101 }, (_, index) => judgedSkill(`s${index}`));

  expect(() => judging("", { catalog: many.slice(0, 100) })).not.toThrow();
  expect(() => judging("", { catalog: many })).toThrow(UserError);
  try {
    judging("", { catalog: many });
  } catch (error) {
    expect(error).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining("101 skills"),
      hint: expect.stringMatching(/--host.*--group.*--allow/),
    });
  }
});

test("a skill that is called NONE could not be told from none", () => {
  expect(() => judging("", { catalog: [...catalog, judgedSkill("NONE")] })).toThrow(UserError);
});
