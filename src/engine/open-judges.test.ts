import { expect, test } from "vitest";
import { httpServer, readBody } from "../../test/local-server.ts";
import { bareContext, completion, settingsAt } from "../../test/model-server.ts";
import { judgment, soundReply } from "../../test/sound-judge.ts";
import type { JudgeReliance } from "../contract/judge-reliance.ts";
import { canaries } from "../scorers/canary-cases.ts";
import { openJudges } from "./open-judges.ts";

const signal = new AbortController().signal;

/** A server that judges with this score, of canaries only if `isSound` as it should. */
function judging(isSound: boolean) {
  return httpServer(async (request, response) => {
    const body = await readBody(request);
    const reply = (isSound ? soundReply(body) : null) ?? judgment(1);
    response.writeHead(200, { "content-type": "application/json" }).end(completion(reply));
  });
}

test("a sound judge has no problem, and is checked once however often it is asked for", async () => {
  await using server = await judging(true);
  await using judges = openJudges(settingsAt(server), { ...bareContext, reliance: "checked" });

  const one = await judges.modelFor(undefined);
  const other = await judges.modelFor("judge-1");
  const problems = await Promise.all([one.findProblem(signal), other.findProblem(signal)]);
  const figures = await judges.askCanaries(signal);

  expect(problems).toEqual([null, null]);
  expect(figures.get("judge-1")).toMatchObject({ asked: canaries.length, problem: null });
  expect(server.requests).toBe(canaries.length);
});

test("a judge that fails its canaries has a problem, trusted or not; one that is not to be checked is asked about none", async () => {
  await using server = await judging(false);
  const opened = async (reliance: JudgeReliance) => {
    await using judges = openJudges(settingsAt(server), { ...bareContext, reliance });
    const judge = await judges.modelFor(undefined);
    return { isTrusted: judge.isTrusted, problem: await judge.findProblem(signal) };
  };
  const problem = { cause: "judge-unreliable", message: expect.stringContaining("the judge judge-1 is off") };

  expect(await opened("checked")).toEqual({ isTrusted: false, problem });
  expect(await opened("trusted")).toEqual({ isTrusted: true, problem });
  expect(await opened("unchecked")).toEqual({ isTrusted: false, problem: null });
});
