import type { Json } from "../../contract/json.ts";
import type { LoadedAgentCase, LoadedCase } from "../../contract/loaded-case.ts";
import type { JudgeModel } from "../open-judges.ts";
import { type AgentJob, agentCell, type CellFacts, taskOf } from "./agent-cells.ts";
import type { AgentModels } from "./agent-models.ts";
import type { AgentPlan } from "./agent-request.ts";
import type { CatalogDesk } from "./catalog-desk.ts";
import { limitsOfCase, policyOfCase } from "./effective-case.ts";
import { judgeIdentity } from "./rubric-judge.ts";

/** Case × model × trial, in the order of the suites. */
export async function planJobs(
  cases: readonly LoadedCase[],
  plan: AgentPlan,
  { catalogs, models, judge }: { catalogs: CatalogDesk; models: AgentModels; judge: JudgeModel | null },
): Promise<AgentJob[]> {
  const identities = new Map<string, Json>();
  const modelIds: string[] = [];
  const isReal = cases.some(({ level }) => level === "L2");
  for (const wished of isReal ? wantedModels(plan) : []) {
    const { id, identity } = await models.identify(wished);
    if (!identities.has(id)) modelIds.push(id);
    identities.set(id, identity);
  }
  const jobs: AgentJob[] = [];
  const add = (facts: CellFacts) => jobs.push({ ...facts, cell: agentCell(facts, jobs.length) });
  for (const loaded of cases) {
    const trials = loaded.kind === "agent" ? (plan.repeats ?? loaded.case.repeat) : 1;
    const known = {
      ...(await factsOf(loaded, plan, catalogs)),
      task: taskOf(loaded),
      judge: judgeOf(loaded, judge),
    };
    const ids = loaded.level === "L2" ? modelIds : [loaded.level === "L0" ? "none" : "mock"];
    for (const model of ids) {
      const identity = identities.get(model) ?? null;
      for (let trial = 1; trial <= trials; trial++) {
        add({ ...known, model, identity, trial, condition: "with-skills" });
        if (plan.baseline !== null && loaded.level === "L2")
          add({ ...known, model, identity, trial, condition: "no-skills" });
      }
    }
  }
  return jobs;
}

/** The configured model where somebody asks for that level and names none. */
function wantedModels({ models, settings }: AgentPlan): readonly string[] {
  return models.length === 0 ? [settings.llm.model] : models;
}

async function factsOf(
  loaded: LoadedCase,
  { agent }: AgentPlan,
  catalogs: CatalogDesk,
): Promise<Pick<CellFacts, "loaded" | "skills" | "limits" | "policy">> {
  if (!isAgentCase(loaded)) return { loaded, skills: null, limits: null, policy: null };
  return {
    loaded,
    skills: await catalogs.identity(loaded),
    limits: limitsOfCase(agent, loaded),
    policy: policyOfCase(agent, loaded),
  };
}

function judgeOf(loaded: LoadedCase, judge: JudgeModel | null): Json {
  return judge !== null && hasRubric(loaded) ? judgeIdentity(judge) : null;
}

export function hasRubric(loaded: LoadedCase): boolean {
  return isAgentCase(loaded) && (loaded.case.expect.rubric ?? []).length > 0;
}

export function isAgentCase(loaded: LoadedCase): loaded is LoadedAgentCase {
  return loaded.kind === "agent";
}
