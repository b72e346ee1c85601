import { resolve } from "node:path";
import type { Cache, ReplyCache } from "../../contract/cache.ts";
import type { CanaryFigures } from "../../contract/figures.ts";
import type { Judge } from "../../contract/judge.ts";
import type { JudgeReliance } from "../../contract/judge-reliance.ts";
import type { Model, ModelRequest } from "../../contract/model.ts";
import type { Router } from "../../contract/routing.ts";
import { openRouters } from "../../engine/skills/open-routers.ts";
import { gathering } from "../../models/cached.ts";
import { type ModelContext, type ModelRegistry, modelRegistry } from "../../models/model-registry.ts";
import { givingUp } from "../../models/retrying.ts";
import { UserError } from "../../shared/user-error.ts";
import type { JudgeChoice } from "./choose-judge.ts";
import { routerJudge } from "./judges/router-judge.ts";
import type { Catalog } from "./load-catalog.ts";
import type { TriggerSuiteOptions } from "./request.ts";

export interface JudgeContext {
  env: NodeJS.ProcessEnv;
  /** Where models get their keys, and whether their calls are recorded or replayed. */
  models: Pick<ModelContext, "apiKey" | "record" | "replay" | "concurrency" | "budget">;
  /** Whether cached replies are used, and new ones stored. */
  usesCache: boolean;
  /** Files and folders that contain the answers: no agent may see them. */
  hidden: readonly string[];
  /** Whether an example of a skill that equals the request is left out of its routing text. */
  leavesExamplesOut?: boolean | undefined;
  /** No model is called: questions are collected to estimate their cost. */
  isDryRun?: boolean | undefined;
  reliance: JudgeReliance;
}

/** Opens each judge once, and closes them together. */
export interface TriggerJudges extends AsyncDisposable {
  judgeFor(choice: JudgeChoice): Promise<Judge>;
  /** The lexical router: the baseline that every model has to beat. */
  lexical: Router;
  /** The router as the configuration asks for it. */
  router(): Promise<Router>;
  registry: ModelRegistry;
  /** What a dry run would have asked, by model. */
  unsentRequests: ReadonlyMap<string, ModelRequest[]>;
  /** Asks every judge that is a model about requests of which everybody knows the answer. */
  askCanaries(signal: AbortSignal): Promise<ReadonlyMap<string, CanaryFigures>>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** Opens judges over one catalog. */
export function openTriggerJudges(
  options: TriggerSuiteOptions,
  catalog: Catalog,
  context: JudgeContext,
  cache: Cache,
): TriggerJudges {
  const { env, models, usesCache, hidden, isDryRun = false, leavesExamplesOut, reliance } = context;
  const registry = modelRegistry(options.models, {
    env,
    ...models,
    replies: usesCache ? cache : null,
  });
  const routers = openRouters(options, catalog, { env, apiKey: models.apiKey, cache });
  const judges = new Map<string, Promise<Judge>>();
  const { timeoutMs, seed, requireVectors } = options;

  const agents: AsyncDisposable[] = [];
  const { modelFor, unsentRequests } = judgeModels(registry, { isDryRun, replies: usesCache ? cache : null });

  async function open({ kind, model, reask, rank }: JudgeChoice): Promise<Judge> {
    const asking = async () => ({
      model: await modelFor(model ?? ""),
      reask: reask as 0 | 1 | 2,
      timeoutMs,
    });
    const checked = async (judge: Judge, known: Judge) => {
      const { checkedJudge, gatherKnownRequests } = await import("./judges/check-judge.ts");
      if (!isDryRun) return checkedJudge(judge, known, reliance);
      await gatherKnownRequests(known);
      return judge;
    };
    switch (kind) {
      case "model": {
        const judge = (await import("./judges/model-judge.ts")).modelJudge(await asking());
        return checked(judge, judge);
      }
      case "catalog": {
        const eligible = new Set(routers.lexical.eligible.map(({ id }) => id));
        const cards = catalog.skills.flatMap(({ judged }) => (eligible.has(judged.id) ? [judged] : []));
        const { catalogJudge } = await import("./judges/catalog-judge.ts");
        const { knownCatalog } = await import("./judges/known-requests.ts");
        const asked = { ...(await asking()), seed };
        return checked(
          catalogJudge({ ...asked, catalog: cards }),
          catalogJudge({ ...asked, catalog: knownCatalog }),
        );
      }
      case "router":
        return routerJudge({ router: await routers.chosen(), rank, requireVectors, leavesExamplesOut });
      case "agent": {
        refuseAgentBudget(context);
        const { judge, agent } = await openAgentJudge(options, catalog, { env, hidden, models });
        agents.push(agent);
        return judge;
      }
      default:
        return kind satisfies never;
    }
  }

  return {
    judgeFor(choice) {
      const { kind, model, reask, rank } = choice;
      const key = JSON.stringify([kind, model, reask, rank]);
      const judge = judges.get(key) ?? open(choice);
      judges.set(key, judge);
      return judge;
    },
    lexical: routers.lexical,
    router: routers.chosen,
    registry,
    unsentRequests,
    async askCanaries(signal) {
      const opened = await Promise.all(judges.values());
      const figures = new Map<string, CanaryFigures>();
      for (const judge of opened) {
        const found = await judge.check?.(signal);
        if (found !== undefined) figures.set(found.judge.model, found);
      }
      return figures;
    },
    secrets: () => [...registry.secrets(), ...routers.secrets()],
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(judges.values()); // one that is being opened may open connections
      await Promise.all([registry, routers, ...agents].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

/** The cost of an agent is not known in advance. */
function refuseAgentBudget({ models: { budget = null } }: JudgeContext): void {
  if (budget === null) return;
  throw new UserError(
    "usage",
    "--max-cost cannot be used with --judge agent: the cost of an agent is unknown",
    {
      hint: "set a limit in the agent itself and omit --max-cost",
    },
  );
}

async function openAgentJudge(
  options: TriggerSuiteOptions,
  catalog: Catalog,
  { env, hidden, models }: Pick<JudgeContext, "env" | "hidden" | "models">,
): Promise<{ judge: Judge; agent: AsyncDisposable }> {
  const { agentJudge } = await import("./judges/agent-judge.ts");
  const { processAgent, requireAgent } = await import("./process-agent.ts");
  const { agentProject } = await import("./agent-project.ts");
  const { timeoutMs, cwd } = options;
  const command = options.judge.agent ?? "";
  if (models.replay === null) requireAgent({ command, env, cwd });
  const agent = processAgent({ command, timeoutMs, env, cwd });
  const skills = catalog.skills.map(({ found }) => ({ dir: found.dir }));
  const openProject = agentProject({
    skills,
    hidden: [...hidden, ...options.sets.map((path) => resolve(options.cwd, path))],
  });
  const cards = catalog.skills.map(({ judged }) => judged);
  return { agent, judge: agentJudge({ agent, catalog: cards, openProject }) };
}

interface JudgeModels {
  modelFor(id: string): Promise<Model>;
  /** What a dry run would have asked, by model. */
  unsentRequests: ReadonlyMap<string, ModelRequest[]>;
}

/** Opens models for judges: unreachable ones are given up, and a dry run only collects requests. */
function judgeModels(
  registry: ModelRegistry,
  { isDryRun, replies }: { isDryRun: boolean; replies: ReplyCache | null },
): JudgeModels {
  const unsentRequests = new Map<string, ModelRequest[]>();
  const opened = new Map<string, Model>();
  function prepareModel(model: Model): Model {
    if (!isDryRun) return givingUp(model);
    const requests: ModelRequest[] = [];
    unsentRequests.set(model.id, requests);
    return gathering(model, requests, replies);
  }
  return {
    async modelFor(id) {
      const model = await registry.open(id);
      const known = opened.get(model.id) ?? prepareModel(model);
      opened.set(model.id, known);
      return known;
    },
    unsentRequests,
  };
}
