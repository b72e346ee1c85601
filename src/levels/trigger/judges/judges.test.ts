import { fixedRouter, routedSkill } from "../../../../test/sample-judging.ts";
import type { Judge } from "../../../contract/judge.ts";
import type { Router } from "../../../contract/routing.ts";
import type { MockLine } from "../../../models/mock.ts";
import { mockModel } from "../../../models/mock.ts";
import { onAbort } from "../../../shared/async/abort.ts";
import { agentJudge, type TriggerAgent } from "./agent-judge.ts";
import { catalogJudge } from "./catalog-judge.ts";
import { judgeContract, type OpenJudge, type OpenJudgeFor } from "./judge.contract.ts";
import { modelJudge } from "./model-judge.ts";
import { routerJudge } from "./router-judge.ts";
import { alwaysJudge, erroringJudge, neverJudge, perfectJudge, slowJudge } from "./synthetic-judges.ts";

const open = (judge: Judge): OpenJudge => ({ judge, [Symbol.asyncDispose]: async () => {} });
const always = (judge: Judge) => async () => open(judge);

const byModel = (line: MockLine) =>
  always(modelJudge({ model: mockModel([line], { repeatLast: true }), reask: 1, timeoutMs: 1000 }));

judgeContract("a model by card", {
  deciding: byModel("DECISION=NO REASON=Not about that."),
  failing: byModel({ fault: "unavailable" }),
  silent: byModel({ silent: true }),
});

const byCatalog =
  (line: MockLine): OpenJudgeFor =>
  async (skill) => {
    const model = mockModel([line], { repeatLast: true });
    const catalog = [skill, { ...skill, id: "explain", aliases: [] }];
    return open(catalogJudge({ model, catalog, seed: 0, reask: 0, timeoutMs: 1000 }));
  };

judgeContract("a model by catalog", {
  deciding: byCatalog("CHOICE=refactor REASON=It asks for that."),
  failing: byCatalog({ fault: "rate-limited" }),
  silent: byCatalog({ silent: true }),
});

const chosen = routedSkill("refactor", { rank: 1, selected: true, score: 0.5, excluded: null });

const byRouter = (requireVectors: boolean, route?: Router["route"]) => {
  const router = { ...fixedRouter([chosen]), ...(route !== undefined && { route }) };
  return always(routerJudge({ router, rank: "selected", requireVectors }));
};

/** Until the run is interrupted. */
const forEver = (_request: unknown, signal: AbortSignal) =>
  new Promise<never>((_, reject) => onAbort(signal, () => reject(signal.reason)));

judgeContract("the router", {
  deciding: byRouter(false),
  failing: byRouter(true),
  silent: byRouter(false, forEver),
});

const byAgent =
  (run: TriggerAgent["run"]): OpenJudgeFor =>
  async (skill) =>
    open(
      agentJudge({
        agent: { name: "scripted", identity: "scripted", run },
        catalog: [skill],
        openProject: async () => ({ path: "/nowhere", [Symbol.asyncDispose]: async () => {} }),
      }),
    );

judgeContract("an agent", {
  deciding: byAgent(async () => ({ status: "answered", activated: ["refactor"] })),
  failing: byAgent(async () => {
    throw new Error("it broke");
  }),
  silent: byAgent(forEver),
});

judgeContract("never", {
  deciding: always(neverJudge()),
  failing: always(erroringJudge()),
  silent: always(slowJudge(60_000)),
});
judgeContract("always", { deciding: always(alwaysJudge()), failing: always(slowJudge(1)) });
judgeContract("perfect", {
  deciding: always(perfectJudge(new Map([["refactor thi", "should_match"]]))),
  failing: always(perfectJudge(new Map())),
});
