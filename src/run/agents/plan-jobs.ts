import type { Json } from "../../contract/json.ts";
import type { LoadedAgentCase, LoadedCase, LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { ConversationDesk } from "../conversations/conversation-desk.ts";
import type { JudgeModel } from "../open-judges.ts";
import { type AgentJob, agentCell, type CellFacts, taskOf } from "./agent-cells.ts";
import type { AgentModels } from "./agent-models.ts";
import type { AgentPlan } from "./agent-request.ts";
import type { CatalogDesk } from "./catalog-desk.ts";
import { limitsOfCase, policyOfCase } from "./effective-case.ts";
import { judgeIdentity } from "./rubric-judge.ts";

interface PlanningDesks {
  catalogs: CatalogDesk;
  conversations: ConversationDesk;
  models: AgentModels;
  judge: JudgeModel | null;
}

/** Case × model × trial, in the order of the suites. */
export async function planJobs(
  cases: readonly LoadedCase[],
  plan: AgentPlan,
  desks: PlanningDesks,
): Promise<AgentJob[]> {
  const { models, judge } = desks;
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
    const trials = loaded.level === "L0" ? 1 : (plan.repeats ?? loaded.case.repeat);
    const known = {
      ...(await factsOf(loaded, plan, desks)),
      task: taskOf(loaded),
      judge: judgeOf(loaded, judge),
    };
    const ids = loaded.level === "L2" ? modelIds : [loaded.level === "L0" ? "none" : "mock"];
    for (const model of ids) {
      const identity = identities.get(model) ?? null;
      for (let trial = 1; trial <= trials; trial++) {
        add({ ...known, model, identity, trial, condition: "with-skills" });
        if (plan.baseline !== null && loaded.level === "L2" && isAgentCase(loaded))
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
  { catalogs, conversations }: PlanningDesks,
): Promise<Pick<CellFacts, "loaded" | "skills" | "limits" | "policy" | "deadlineMs">> {
  if (isConversation(loaded)) {
    const [skills, deadlineMs] = [await conversations.identity(loaded), conversations.deadlineOf(loaded)];
    return { loaded, skills, limits: null, policy: null, deadlineMs };
  }
  if (!isAgentCase(loaded))
    return { loaded, skills: null, limits: null, policy: null, deadlineMs: pureDeadlineMs };
  const limits = limitsOfCase(agent, loaded);
  return {
    loaded,
    skills: await catalogs.identity(loaded),
    limits,
    policy: policyOfCase(agent, loaded),
    deadlineMs: limits.timeout_ms,
  };
}

/** A pure function is fast. */
const pureDeadlineMs = 30_000;

function judgeOf(loaded: LoadedCase, judge: JudgeModel | null): Json {
  return judge !== null && hasRubric(loaded) ? judgeIdentity(judge) : null;
}

export function hasRubric(loaded: LoadedCase): boolean {
  return isAgentCase(loaded) && (loaded.case.expect.rubric ?? []).length > 0;
}

export function isConversation(loaded: LoadedCase): loaded is LoadedConversationCase {
  return loaded.kind === "conversation";
}

export function isAgentCase(loaded: LoadedCase): loaded is LoadedAgentCase {
  return loaded.kind === "agent";
}
