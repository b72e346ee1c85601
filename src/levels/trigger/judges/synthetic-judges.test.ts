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
const asked = (judge: Judge) => judge.judge(question, new AbortController().signal);

test("each answers as it is called", async () => {
  const { id } = question.query;
  expect(await asked(perfectJudge(new Map([[id, "should_match"]])))).toMatchObject({ outcome: "yes" });
  expect(await asked(perfectJudge(new Map([[id, "should_not_match"]])))).toMatchObject({ outcome: "no" });
  expect(await asked(neverJudge())).toMatchObject({ outcome: "no" });
  expect(await asked(alwaysJudge())).toMatchObject({ outcome: "yes" });
  expect(await asked(garbageJudge())).toMatchObject({ outcome: "invalid", lenientDecision: null });
  expect(await asked(garbageJudge("Yes, of course."))).toMatchObject({
    outcome: "invalid",
    lenientDecision: "yes",
  });
  expect(await asked(erroringJudge())).toMatchObject({ outcome: "error", code: "transport" });
  expect(await asked(slowJudge(1))).toMatchObject({ outcome: "error", code: "timeout" });
});

test("a query that the perfect judge was not told of is an error, not a guess", async () => {
  expect(await asked(perfectJudge(new Map()))).toMatchObject({ outcome: "error" });
});
