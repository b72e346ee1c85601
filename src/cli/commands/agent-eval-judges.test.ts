import { expect, test } from "vitest";
import { labKey } from "../../../test/agent-model.ts";
import { agentProject, scripted } from "../../../test/agent-project.ts";
import { httpServer, readBody } from "../../../test/local-server.ts";
import { completion } from "../../../test/model-server.ts";
import { judgment, soundReply } from "../../../test/sound-judge.ts";
import type { JudgeFigures } from "../../contract/figures.ts";

/** A judge that likes everything; of canaries only where it is not sound. */
function likingJudge(isSound: boolean) {
  return httpServer(async (request, response) => {
    const { messages } = JSON.parse(await readBody(request));
    const sound = isSound ? soundReply(messages.at(-1).content) : null;
    response.setHeader("content-type", "application/json");
    response.end(completion(sound ?? judgment(1)));
  });
}

const rubric = scripted("rubric", { expect: { rubric: ["It says what a day costs."] } });
const plain = scripted("plain", { expect: { skills_all_of: ["fines"] } });

async function judgedProject(url: string) {
  return agentProject({
    "evals/suite.yaml": { suite: "desk", cases: [rubric, plain] },
    "../.eval-skills/config.yaml": { models: { lab: { baseUrl: url, apiKeyEnv: "LAB_KEY" } } },
  });
}

const evaluate = ["agent", "eval", "evals", "--json", "--judge-model", "lab/judge"];
const problem = "the judge lab/judge is off by 0.50 on answers of known score";

test("the judge of a rubric is checked by canaries, which cost it and no case", async () => {
  await using judge = await likingJudge(true);
  await using project = await judgedProject(judge.url);

  const { exitCode, document, cells, stderr } = await project.run(evaluate, { env: labKey });

  expect(exitCode, stderr).toBe(0);
  expect(cells.map(({ status, judge }) => [status, judge?.calls ?? null])).toEqual([
    ["pass", 1],
    ["pass", null],
  ]);
  expect(document.judges).toMatchObject([
    { model: "lab/judge", cells: 1, canaries: { problem: null, drift: 0, flipRate: 0 } },
  ]);
});

test("wrong green: a judge of rubrics that fails its canaries decides nothing, whatever is allowed, unless it is trusted", async () => {
  await using judge = await likingJudge(false);
  await using project = await judgedProject(judge.url);

  const refused = await project.run([...evaluate, "--max-invalid", "1"], { env: labKey });
  const trusted = await project.run([...evaluate, "--trust-judge"], { env: labKey });

  expect([refused.exitCode, trusted.exitCode]).toEqual([3, 0]);
  expect(refused.cells).toMatchObject([
    { caseId: "rubric", status: "invalid", cause: "judge-unreliable", judge: { calls: 0 } },
    { caseId: "plain", status: "pass", judge: null },
  ]);
  expect(refused.cells[0]?.reason).toContain(problem);
  const [figures] = trusted.document.judges as JudgeFigures[];
  expect(figures?.trustedDespite).toContain(problem);
  expect(project.read("reports/agent-result.md")).toContain("Trusted anyway: the judge lab/judge");
});
