import { agentModels } from "../../cases/agent-models.ts";
import { type JudgeOfCase, openCaseJudges } from "../../cases/ask-about-sentences.ts";
import { type CaseFigures, caseFigures } from "../../cases/case-figures.ts";
import type { AgentContext, AgentPlan } from "../../cases/case-request.ts";
import type { CaseContext } from "../../cases/case-suite.ts";
import { catalogRegistry } from "../../cases/catalog-registry.ts";
import { checkCaseNames, warnMissingSkills } from "../../cases/check-case-names.ts";
import { loadSuites } from "../../cases/files/load-suites.ts";
import {
  type AgentCase,
  hasRubric,
  isAgentCase,
  isConversation,
  mayStartProcess,
  type PlannedSuite,
  planSuites,
} from "../../cases/plan-cases.ts";
import { idleWarnings, probedOutputs } from "../../cases/probe-output.ts";
import { selectCases, skippedCase } from "../../cases/select-cases.ts";
import type { IsolationData } from "../../contract/agent-record.ts";
import type { SuiteRun } from "../../contract/level.ts";
import type { LoadedCase } from "../../contract/loaded-case.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import { openProcessSandbox } from "../../engine/containment/open-containment.ts";
import { onlyGranted } from "../../engine/granted.ts";
import { type Judges, openJudges } from "../../engine/open-judges.ts";
import type { PreparedRun, SuiteContext } from "../../engine/prepared-run.ts";
import { inputPool } from "../../engine/run-inputs.ts";
import { noModel } from "../../engine/without-model.ts";
import { agentSuite } from "../../levels/agent/suite.ts";
import { openConversations } from "../../levels/conversation/prepare.ts";
import { conversationSuite } from "../../levels/conversation/suite.ts";
import { callCap } from "../../models/model-registry.ts";
import { probeCases } from "../../scorers/probe-cases.ts";
import { openOrClose } from "../../shared/async/open-or-close.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { redactor } from "../../shared/text/redact.ts";

/** An agent evaluation that is ready to start: everything is loaded, checked and planned. */
export interface ReadyAgents extends PreparedRun {
  /** Suite by suite, one for each level. */
  plans: readonly PlannedSuite[];
  /** The cases of all plans. */
  cases: readonly AgentCase[];
}

/** Checks everything that can be checked before the first cell. */
export async function prepareAgents(plan: AgentPlan, context: AgentContext): Promise<ReadyAgents> {
  const { cwd, projectRoot, envKeys } = plan;
  const { env, exclude } = context;
  const suites = await loadSuites(plan.suites, { cwd, projectRoot });
  const selected = selectCases(suites, plan, {
    wants: context.wants,
    mayBeEmpty: context.leavesModelsOut,
  });
  const granted = onlyGranted(selected.cases, ({ asks }) => asks, context);
  const judgeless = context.leavesModelsOut === true ? granted.kept.filter(lacksJudge(plan)) : [];
  const cases = granted.kept.filter((loaded) => !judgeless.includes(loaded));
  const skipped = [
    ...selected.skipped,
    ...granted.left.map(({ item, reason }) => skippedCase(item, reason)),
    ...judgeless.map((loaded) => skippedCase(loaded, noModel)),
  ];
  const { seed, allowVacuous } = plan;
  const probed = await probeCases(probedOutputs(cases), { noun: "case", seed, allowVacuous });
  const inputs = inputPool({ cwd, exclude });
  const catalogs = catalogRegistry({ roots: plan.roots, projectRoot, cwd, exclude });
  for (const loaded of cases) if (isAgentCase(loaded)) await checkCaseNames(loaded, catalogs);
  const { settings, agent } = plan;
  const trusted = envKeys.flatMap((name) => env[name] ?? []);
  const models = agentModels(
    { settings, fallback: agent.fallback_model },
    { env, ...context.models, secrets: trusted },
  );
  const judges = openJudges(settings, {
    ...{ env, ...context.models, secrets: trusted },
    reliance: context.reliance,
  });
  const close = async () => {
    await judges[Symbol.asyncDispose]();
    await models[Symbol.asyncDispose]();
  };
  return openOrClose(close, async () => {
    const judgeOf = await openCaseJudges(cases, plan.judge, judges);
    const mayStart = cases.some(mayStartProcess);
    const sandbox = await openSandboxFor(cases, mayStart, plan, context);
    const conversations = await openConversations(cases.filter(isConversation), plan, {
      ...context,
      sandbox,
    });
    const closeAll = async () => {
      await conversations[Symbol.asyncDispose]();
      await sandbox[Symbol.asyncDispose]();
    };
    const { notLoaded } = conversations;
    const loadable = cases.filter((loaded) => !(isConversation(loaded) && notLoaded.has(loaded.dir)));
    const plans = await openOrClose(closeAll, () =>
      planSuites(loadable, plan, { catalogs, conversations, models, judgeOf, inputs }),
    );
    const secrets = [...trusted, ...models.secrets(), ...judges.secrets()];
    const redact = redactor(secrets);
    const { level, backend, network, unproven } = sandbox.containment;
    const isolation = {
      level,
      backend,
      network: network as IsolationData["network"],
      unproven: [...unproven],
    };
    const shared = {
      plan,
      runsDir: context.runsDir,
      catalogs,
      conversations,
      models,
      replaysModels: context.models.replay !== null,
      judgeOf,
      sandbox,
      mayStart,
      isolation,
      secrets,
      redact,
    };
    return {
      plans,
      cases: plans.flatMap((one): readonly AgentCase[] => one.cases),
      ...runFacts(plans, plan, shared, judges, context.wants !== undefined || judgeless.length > 0),
      containment: sandbox.containment,
      startsNothing: !mayStart,
      secrets,
      redact,
      skipped,
      notLoaded: [...notLoaded.values()],
      vacuous: probed.vacuous,
      warnings: [
        ...suites.flatMap((suite) => suite.warnings),
        ...probed.warnings,
        ...idleWarnings(cases),
        ...oneSided(cases),
        ...(await warnMissingSkills(cases.filter(isAgentCase), catalogs)),
        ...unjudged(cases, judgeOf),
        ...conversations.warnings,
      ],
      async [Symbol.asyncDispose]() {
        await closeAll();
        await close();
      },
    };
  });
}

type SharedContext = Omit<CaseContext, "evalRunId" | "env" | "telemetry" | "clock" | "random">;

/** The parts of a prepared run that the engine reads, most of them when its cells have ended. */
function runFacts(
  plans: readonly PlannedSuite[],
  plan: AgentPlan,
  shared: SharedContext,
  judges: Judges,
  isSelected: boolean,
): Pick<
  PreparedRun,
  | "suites"
  | "seed"
  | "skillIds"
  | "models"
  | "callCap"
  | "conditions"
  | "settings"
  | "isMixed"
  | "askCanaries"
> {
  const figures = caseFigures(plans, plan.seed);
  const subjects = plans.flatMap((one) => one.subjects);
  const deciders = [...new Set(subjects.map(({ model }) => model))].filter((model) => model !== "none");
  const real = [...new Set(subjects.filter(({ caseClass }) => caseClass === "L2").map(({ model }) => model))];
  return {
    suites: (context) => suiteRuns(plans, figures, plan, makeAgentContext(shared, context), isSelected),
    seed: plan.seed,
    skillIds: [...new Set(plans.flatMap((one) => one.cases.flatMap(caseSkillNames)))].sort(),
    models: [...new Set([...real, ...judges.all().map(({ model }) => model.id)])],
    callCap: real.length === deciders.length ? callCap(plan.settings, real) : null,
    conditions: () => ({
      models: real.toSorted().join(", ") || null,
      grader: figures.graders().join(", ") || null,
    }),
    settings: () => ({
      runsDir: nearPath(shared.runsDir, plan.cwd),
      deciders,
      ...(!shared.mayStart && { isolation: null }),
      ...(figures.mixedSkills().length > 0 && { mixedSkillVersion: figures.mixedSkills() }),
    }),
    isMixed: () => figures.mixedSkills().length > 0,
    askCanaries: judges.askCanaries,
  };
}

function makeAgentContext(
  shared: SharedContext,
  { run, env, telemetry, clock, random }: SuiteContext,
): CaseContext {
  return { ...shared, evalRunId: run.id, env, telemetry, clock, random };
}

function suiteRuns(
  plans: readonly PlannedSuite[],
  figures: CaseFigures,
  { cases, tags, classes }: AgentPlan,
  context: CaseContext,
  isSelected: boolean,
): SuiteRun[] {
  // A run over some of the cases is not a result for the whole suite.
  const isPartial = cases.length > 0 || tags.length > 0 || classes !== null || isSelected;
  return plans.map((plan): SuiteRun => {
    const facts = { context, fold: figures.foldOf(plan.level), isPartial };
    return plan.level === "conversation"
      ? conversationSuite({ ...facts, plan })
      : agentSuite({ ...facts, plan });
  });
}

/** The skills available to a case: ids of prompts, names of skills that agents load. */
function caseSkillNames({ skills }: AgentCase): string[] {
  if (skills === null) return [];
  const { skills: given } = skills as { skills: { id?: string; name?: string }[] };
  return given.flatMap(({ id, name }) => id ?? name ?? []);
}

/** The sandbox that the cases require together. */
function openSandboxFor(
  cases: readonly LoadedCase[],
  mayStart: boolean,
  plan: AgentPlan,
  context: AgentContext,
): Promise<Sandbox> {
  const agents = cases.filter(isAgentCase);
  return openProcessSandbox(plan, context, {
    mayStart,
    floors: agents.flatMap(({ case: { constraints }, file }) =>
      constraints.sandbox === undefined ? [] : [{ level: constraints.sandbox, file }],
    ),
    hidden: [
      ...new Set(cases.map(({ file }) => file)),
      ...agents.map(({ dir }) => dir),
      ...cases.filter(isConversation).flatMap(({ expectedFiles }) => Object.values(expectedFiles)),
    ],
  });
}

/** Whether a case has a rubric and nobody to judge by it. */
function lacksJudge({ judge }: AgentPlan): (loaded: LoadedCase) => boolean {
  return (loaded) => hasRubric(loaded) && judge === null;
}

/** Warns of rubrics without a judge. */
function unjudged(cases: readonly LoadedCase[], judgeOf: JudgeOfCase): string[] {
  const count = cases.filter((loaded) => hasRubric(loaded) && judgeOf(loaded) === null).length;
  if (count === 0) return [];
  return [
    `${pluralize(count, "case")} will have no verdict: a rubric needs a judge, set one with --judge-model`,
  ];
}

/** A suite in which something must always be selected cannot detect a skill that fires at everything. */
function oneSided(cases: readonly LoadedCase[]): string[] {
  const suites = new Map<string, { positives: number; negatives: number }>();
  for (const loaded of cases) {
    if (!isAgentCase(loaded) || loaded.level !== "L2") continue;
    const { skills_any_of = [], skills_all_of = [], skills_none_of = [] } = loaded.case.expect;
    const counts = suites.get(loaded.suite) ?? { positives: 0, negatives: 0 };
    if (skills_any_of.length + skills_all_of.length > 0) counts.positives++;
    if (skills_none_of.length > 0) counts.negatives++;
    suites.set(loaded.suite, counts);
  }
  return [...suites].flatMap(([suite, { positives, negatives }]) =>
    positives > 0 && negatives === 0
      ? [
          `suite ${suite} has ${pluralize(positives, "case")} where a skill must be selected but none where it must not: add some with skills_none_of`,
        ]
      : [],
  );
}
