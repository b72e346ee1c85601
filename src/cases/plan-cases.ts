import { protocolVersion } from "../contract/agent-action.ts";
import type { CaseLevel } from "../contract/agent-case.ts";
import type { PlannedCase, Subject } from "../contract/cell.ts";
import type { RunInput } from "../contract/level.ts";
import type { AgentLimits, AgentPolicy } from "../contract/limits.ts";
import type {
  LoadedAgentCase,
  LoadedCase,
  LoadedConversationCase,
  LoadedPureCase,
} from "../contract/loaded-case.ts";
import { judgeIdentity } from "../engine/open-judges.ts";
import type { InputPool } from "../engine/run-inputs.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import type { Json } from "../shared/json/json.ts";
import type { AgentModels } from "./agent-models.ts";
import type { JudgeOfCase } from "./ask-about-sentences.ts";
import type { AgentPlan } from "./case-request.ts";
import type { CatalogRegistry } from "./catalog-registry.ts";
import type { ConversationRegistry } from "./conversation-registry.ts";
import { caseLimits, casePolicy } from "./effective-case.ts";
import { startsProcess } from "./files/tool-names.ts";

/** A model, a script or a pure function, with its skills or without any. */
export interface AgentSubject extends Subject {
  skillId: null;
  /** `mock`, an id, or `none` for pure functions. */
  model: string;
  /** `absent`: the baseline, with an empty index. */
  arm: "installed" | "absent";
  /** The cases it decides. */
  caseClass: CaseLevel;
  /** Everything about the model that may change what it says. */
  identity: Json;
}

/** A case with everything decided that can be decided before it runs. */
export interface AgentCase<Loaded extends LoadedCase = LoadedCase> extends PlannedCase {
  loaded: Loaded;
  /** Digests of the skills in its roots. */
  skills: Json;
  limits: AgentLimits | null;
  policy: AgentPolicy | null;
  /** Who judges what only a judge can; null where there is nothing of the kind, or nobody does. */
  judge: Json;
  trials: number;
  deadlineMs: number;
  /** What its cells rest on: the files of the case, and its skills where an agent may start processes. */
  inputs: readonly RunInput[];
  /** Of all the above that decides a result. */
  contentDigest: string;
}

/** The cases of one suite and level, and who decides them. */
export interface SuitePlan<Level extends string = string, Loaded extends LoadedCase = LoadedCase> {
  level: Level;
  suite: string;
  cases: readonly AgentCase<Loaded>[];
  subjects: readonly AgentSubject[];
  casesOf(subject: AgentSubject): readonly AgentCase<Loaded>[];
}
type AgentSuitePlan = SuitePlan<"agent", LoadedAgentCase | LoadedPureCase>;
type ConversationSuitePlan = SuitePlan<"conversation", LoadedConversationCase>;
export type PlannedSuite = AgentSuitePlan | ConversationSuitePlan;

interface PlanningContext {
  catalogs: CatalogRegistry;
  conversations: ConversationRegistry;
  models: AgentModels;
  judgeOf: JudgeOfCase;
  inputs: InputPool;
}

/** Sorts cases into suites, one per level, and finds out what decides their results. Cells are planned from this one at a time. */
export async function planSuites(
  cases: readonly LoadedCase[],
  plan: AgentPlan,
  context: PlanningContext,
): Promise<PlannedSuite[]> {
  const models = await identifyModels(cases, plan, context.models);
  const hasBaseline = plan.baseline !== null;
  const suites = new Map<
    string,
    { agent: AgentSuitePlan["cases"][number][]; conversation: ConversationSuitePlan["cases"][number][] }
  >();
  for (const loaded of cases) {
    const suite = suites.get(loaded.suite) ?? { agent: [], conversation: [] };
    suites.set(loaded.suite, suite);
    if (isConversation(loaded)) suite.conversation.push(await plannedCase(loaded, plan, context));
    else suite.agent.push(await plannedCase(loaded, plan, context));
  }
  const planned: PlannedSuite[] = [];
  for (const [suite, { agent, conversation }] of suites) {
    if (agent.length > 0) planned.push(suitePlan("agent", suite, agent, models, hasBaseline));
    if (conversation.length > 0) planned.push(suitePlan("conversation", suite, conversation, models, false));
  }
  return planned;
}

/** The key of one trial of a case. It leaves the grader out: a new one grades the run that is there. */
export function caseKey(subject: AgentSubject, one: AgentCase, trial: number): string {
  return sha256(
    canonicalJson({
      content: one.contentDigest,
      model: { id: subject.model, identity: subject.identity },
      condition: subjectCondition(subject),
      protocol: protocolVersion,
      trial,
    }),
  );
}

/** The arm of a subject, as catalogs and reports of agents name it. */
export function subjectCondition({ arm }: Pick<Subject, "arm">): "with-skills" | "no-skills" {
  return arm === "absent" ? "no-skills" : "with-skills";
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

/** Id → identity, of the models that cases without a script are run with. */
async function identifyModels(
  cases: readonly LoadedCase[],
  plan: AgentPlan,
  models: AgentModels,
): Promise<Map<string, Json>> {
  const identities = new Map<string, Json>();
  if (!cases.some(({ level }) => level === "L2")) return identities;
  for (const name of wantedModels(plan)) {
    const { id, identity } = await models.identify(name);
    identities.set(id, identity);
  }
  return identities;
}

/** The configured model where that class of cases is requested and no model is named. */
function wantedModels({ models, settings }: AgentPlan): readonly string[] {
  return models.length === 0 ? [settings.llm.model] : models;
}

async function plannedCase<Loaded extends LoadedCase>(
  loaded: Loaded,
  plan: AgentPlan,
  context: PlanningContext,
): Promise<AgentCase<Loaded>> {
  const { id, title, tags, expect, repeat } = loaded.case;
  const facts = await caseFacts(loaded, plan, context);
  const asked = context.judgeOf(loaded);
  const judge = asked === null ? null : judgeIdentity(asked);
  const { skills, limits, policy } = facts;
  return {
    id,
    digest: loaded.digest,
    title: title ?? null,
    input: "request" in loaded ? (loaded.request as string) : (loaded.case.input as Json),
    expected: expect as unknown as Json,
    tags,
    weight: 1,
    loaded,
    ...facts,
    judge,
    trials: loaded.level === "L0" ? 1 : (plan.repeats ?? repeat),
    contentDigest: sha256(
      canonicalJson({
        suite: loaded.suite,
        case: { id, digest: loaded.digest },
        skills,
        limits,
        policy,
        ...(judge !== null && { judge }),
      }),
    ),
  };
}

type CaseFacts = Pick<AgentCase, "skills" | "limits" | "policy" | "deadlineMs" | "inputs">;

async function caseFacts(
  loaded: LoadedCase,
  { agent }: AgentPlan,
  { catalogs, conversations, inputs: pool }: PlanningContext,
): Promise<CaseFacts> {
  const files = pool.files(loaded.files);
  if (isConversation(loaded)) {
    const skills = await conversations.identity(loaded);
    const deadlineMs = conversations.deadlineOf(loaded);
    // A skill may be edited between conversations: each records what it was given, and one run of two versions passes no gate.
    return { skills, inputs: files, limits: null, policy: null, deadlineMs };
  }
  if (!isAgentCase(loaded))
    return { skills: null, inputs: files, limits: null, policy: null, deadlineMs: pureDeadlineMs };
  const limits = caseLimits(agent, loaded);
  const skills = await catalogs.identity(loaded);
  // What starts no process changes no skill, and is told apart from one that somebody edits when it loads it.
  const own = mayStartProcess(loaded) ? pool.skills((await catalogs.shared(loaded)).described) : [];
  const policy = casePolicy(agent, loaded);
  return { skills, inputs: [...files, ...own], limits, policy, deadlineMs: limits.timeout_ms };
}

export function mayStartProcess(loaded: LoadedCase): boolean {
  return (
    isConversation(loaded) ||
    (isAgentCase(loaded) &&
      (loaded.case.enable_tools.some(startsProcess) || loaded.case.expect.checks.length > 0))
  );
}

/** A pure function is fast. */
const pureDeadlineMs = 30_000;

function suitePlan<Level extends string, Loaded extends LoadedCase>(
  level: Level,
  suite: string,
  cases: readonly AgentCase<Loaded>[],
  models: ReadonlyMap<string, Json>,
  hasBaseline: boolean,
): SuitePlan<Level, Loaded> {
  const byClass = new Map<CaseLevel, AgentCase<Loaded>[]>();
  for (const one of cases) {
    const own = byClass.get(one.loaded.level) ?? [];
    byClass.set(one.loaded.level, own);
    own.push(one);
  }
  const lists = new Map<AgentSubject, readonly AgentCase<Loaded>[]>();
  for (const [caseClass, own] of byClass) {
    const names = caseClass === "L2" ? [...models.keys()] : [caseClass === "L0" ? "none" : "mock"];
    for (const model of names) {
      const identity = models.get(model) ?? null;
      lists.set(makeSubject({ model, arm: "installed", caseClass, identity }, own), own);
      const alone = own.filter(({ loaded }) => isAgentCase(loaded));
      if (hasBaseline && caseClass === "L2" && alone.length > 0)
        lists.set(makeSubject({ model, arm: "absent", caseClass, identity }, alone), alone);
    }
  }
  return { level, suite, cases, subjects: [...lists.keys()], casesOf: (subject) => lists.get(subject) ?? [] };
}

function makeSubject(
  facts: Pick<AgentSubject, "model" | "arm" | "caseClass" | "identity">,
  cases: readonly AgentCase[],
): AgentSubject {
  const skills = [...new Set(cases.map((one) => canonicalJson(one.skills)))];
  return { skillId: null, skillVersion: "", skillDigest: sha256(skills.join("\n")), ...facts };
}
