import { expect, test } from "vitest";
import { judgedSkill, questionAbout } from "../../../../test/sample-judging.ts";
import type { Judge } from "../../../contract/judge.ts";
import {
  alwaysJudge,
  erroringJudge,
  garbageJudge,
  neverJudge,
  perfectJudge,
  slowJudge,
} from "./synthetic-judges.ts";

const question = questionAbout(judgedSkill("a"), "x");
const ask = (judge: Judge) => judge.judge(question, new AbortController().signal);

test("each answers as it is called", async () => {
  const { id } = question.query;
  expect(await ask(perfectJudge(new Map([[id, "should_match"]])))).toMatchObject({ outcome: "yes" });
  expect(await ask(perfectJudge(new Map([[id, "should_not_match"]])))).toMatchObject({ outcome: "no" });
  expect(await ask(neverJudge())).toMatchObject({ outcome: "no" });
  expect(await ask(alwaysJudge())).toMatchObject({ outcome: "yes" });
  expect(await ask(garbageJudge())).toMatchObject({ outcome: "invalid", lenientDecision: null });
  expect(await ask(garbageJudge("Yes, of course."))).toMatchObject({
    outcome: "invalid",
    lenientDecision: "yes",
  });
  expect(await ask(erroringJudge())).toMatchObject({ outcome: "error", code: "transport" });
  expect(await ask(slowJudge(1))).toMatchObject({ outcome: "error", code: "timeout" });
});

test("a query that the perfect judge was not told of is an error, not a guess", async () => {
  expect(await ask(perfectJudge(new Map()))).toMatchObject({ outcome: "error" });
});
