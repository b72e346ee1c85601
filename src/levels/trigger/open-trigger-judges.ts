import { resolve } from "node:path";
import type { Cache, ReplyCache } from "../../contract/cache.ts";
import type { Judge } from "../../contract/judge.ts";
import type { Model, ModelRequest } from "../../contract/model.ts";
import type { Router } from "../../contract/routing.ts";
import { openRouters } from "../../engine/skills/open-routers.ts";
import { Budget } from "../../models/budget.ts";
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
  models: Pick<ModelContext, "apiKey" | "record" | "replay">;
  /** Whether replies of earlier runs answer, and those of this one are kept. */
  usesCache: boolean;
  /** What all judgments together may cost; null: whatever they cost. */
  maxCostUsd: number | null;
  /** The money itself, where several passes spend the same. */
  budget?: Budget | undefined;
  /** Files and folders that tell the answers: no agent may see them. */
  hidden: readonly string[];
  /** Whether an example of a skill that is the request itself is left out of its routing text. */
  leavesExamplesOut?: boolean | undefined;
  /** Nobody is asked: questions are gathered, so that their cost can be reckoned. */
  isDryRun?: boolean | undefined;
}

/** Opens judges, each once, and closes them with the pass. */
export interface TriggerJudges extends AsyncDisposable {
  judgeFor(choice: JudgeChoice): Promise<Judge>;
  /** Chooses by words alone: the figure every model has to beat. */
  lexical: Router;
  /** The router as the configuration asks for it. */
  router(): Promise<Router>;
  registry: ModelRegistry;
  /** What a dry run would have asked, by model. */
  unasked: ReadonlyMap<string, ModelRequest[]>;
  /** The keys in use: reports and logs must not show them. */
  secrets(): string[];
}

/** Makes ready to open judges over one catalog. */
export function openTriggerJudges(
  pass: TriggerSuiteOptions,
  catalog: Catalog,
  context: JudgeContext,
  cache: Cache,
): TriggerJudges {
  const { env, models, usesCache, hidden, isDryRun = false, leavesExamplesOut } = context;
  const registry = modelRegistry(pass.models, {
    env,
    ...models,
    replies: usesCache ? cache : null,
    budget: context.budget ?? (context.maxCostUsd === null ? null : new Budget(context.maxCostUsd)),
  });
  const routers = openRouters(pass, catalog, { env, apiKey: models.apiKey, cache });
  const judges = new Map<string, Promise<Judge>>();
  const { timeoutMs, seed, requireVectors } = pass;

  const agents: AsyncDisposable[] = [];
  const { modelFor, unasked } = judgeModels(registry, { isDryRun, replies: usesCache ? cache : null });

  async function open({ kind, model, reask, rank }: JudgeChoice): Promise<Judge> {
    const asking = async () => ({
      model: await modelFor(model ?? ""),
      reask: reask as 0 | 1 | 2,
      timeoutMs,
    });
    switch (kind) {
      case "model":
        return (await import("./judges/model-judge.ts")).modelJudge(await asking());
      case "catalog": {
        const eligible = new Set(routers.lexical.eligible.map(({ id }) => id));
        const cards = catalog.skills.flatMap(({ judged }) => (eligible.has(judged.id) ? [judged] : []));
        const { catalogJudge } = await import("./judges/catalog-judge.ts");
        return catalogJudge({ ...(await asking()), catalog: cards, seed });
      }
      case "router":
        return routerJudge({ router: await routers.chosen(), rank, requireVectors, leavesExamplesOut });
      case "agent": {
        refuseAgentBudget(context);
        const { judge, agent } = await openAgentJudge(pass, catalog, { env, hidden });
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
    unasked,
    secrets: () => [...registry.secrets(), ...routers.secrets()],
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(judges.values()); // one that is being opened has connections soon
      await Promise.all([registry, routers, ...agents].map((one) => one[Symbol.asyncDispose]()));
    },
  };
}

/** Nobody can say beforehand what an agent will ask of whom. */
function refuseAgentBudget({ maxCostUsd, budget }: JudgeContext): void {
  if (maxCostUsd === null && (budget ?? null) === null) return;
  throw new UserError(
    "usage",
    "--max-cost cannot be used with --judge agent: the cost of an agent is unknown",
    {
      hint: "set a limit in the agent itself and omit --max-cost",
    },
  );
}

async function openAgentJudge(
  pass: TriggerSuiteOptions,
  catalog: Catalog,
  { env, hidden }: Pick<JudgeContext, "env" | "hidden">,
): Promise<{ judge: Judge; agent: AsyncDisposable }> {
  const { agentJudge } = await import("./judges/agent-judge.ts");
  const { processAgent } = await import("./process-agent.ts");
  const { agentProject } = await import("./agent-project.ts");
  const { timeoutMs, cwd } = pass;
  const agent = processAgent({ command: pass.judge.agent ?? "", timeoutMs, env, cwd });
  const skills = catalog.skills.map(({ found }) => ({ dir: found.dir }));
  const projectOf = agentProject({
    skills,
    hidden: [...hidden, ...pass.sets.map((path) => resolve(pass.cwd, path))],
  });
  const cards = catalog.skills.map(({ judged }) => judged);
  return { agent, judge: agentJudge({ agent, catalog: cards, projectOf }) };
}

/** The models that judges ask, each once. */
interface JudgeModels {
  modelFor(id: string): Promise<Model>;
  /** What a dry run would have asked, by model. */
  unasked: ReadonlyMap<string, ModelRequest[]>;
}

/** Opens models as judges want them: one out of reach is given up, and in a dry run nobody is asked. */
function judgeModels(
  registry: ModelRegistry,
  { isDryRun, replies }: { isDryRun: boolean; replies: ReplyCache | null },
): JudgeModels {
  const unasked = new Map<string, ModelRequest[]>();
  const opened = new Map<string, Model>();
  function asked(model: Model): Model {
    if (!isDryRun) return givingUp(model);
    const requests: ModelRequest[] = [];
    unasked.set(model.id, requests);
    return gathering(model, requests, replies);
  }
  return {
    async modelFor(id) {
      const model = await registry.open(id);
      const known = opened.get(model.id) ?? asked(model);
      opened.set(model.id, known);
      return known;
    },
    unasked,
  };
}
