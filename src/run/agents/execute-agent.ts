import { scriptModel } from "../../agent/decide/script-model.ts";
import { scriptedApprover } from "../../agent/tools/approvers.ts";
import type { Clock } from "../../base/clock.ts";
import type { AgentModel } from "../../contract/agent-parts.ts";
import type { IsolationData } from "../../contract/agent-record.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import type { Sandbox } from "../../contract/sandbox.ts";
import type { Telemetry } from "../../contract/telemetry.ts";
import { openRunLog } from "../../events/open-run-log.ts";
import { readRun } from "../../events/read-run.ts";
import { gradeRun } from "../../scorers/agent/grade-run.ts";
import type { ConversationDesk } from "../conversations/conversation-desk.ts";
import { lentVariables } from "../lent-variables.ts";
import type { JudgeModel } from "../open-judges.ts";
import type { AgentJob } from "./agent-cells.ts";
import type { AgentModels } from "./agent-models.ts";
import type { AgentPlan } from "./agent-request.ts";
import type { CatalogDesk } from "./catalog-desk.ts";
import { guardrailsOf } from "./effective-case.ts";
import { oneRun } from "./one-run.ts";
import { askAboutRubric } from "./rubric-judge.ts";

/** What cells of agent cases share. */
export interface AgentWorld {
  plan: AgentPlan;
  evalRunId: string;
  /** Where run directories are made. */
  runsDir: string;
  catalogs: CatalogDesk;
  conversations: ConversationDesk;
  models: AgentModels;
  judge: JudgeModel | null;
  sandbox: Sandbox;
  isolation: IsolationData;
  env: NodeJS.ProcessEnv;
  secrets: readonly string[];
  redact: <Value>(value: Value) => Value;
  telemetry: Telemetry;
  clock: Clock;
  random: () => number;
}

/** What came of the run of a case, and where it lies. */
export interface GradedRun {
  report: CaseReport;
  dir: string;
}

/** Runs a case once and grades what the run left. */
export async function executeAgent(
  job: AgentJob & { loaded: LoadedAgentCase },
  world: AgentWorld,
  signal: AbortSignal,
): Promise<GradedRun> {
  const { loaded, limits, policy, cell, trial, model } = job;
  const { plan, clock, random, redact, secrets } = world;
  if (limits === null || policy === null) throw new Error(`${cell.task.task.id} has no limits`);
  await using installed = await world.catalogs.open(loaded, job.condition);
  await using log = openRunLog({ runsDir: world.runsDir, recording: "full", redact, secrets, clock, random });
  const said = loaded.case;
  await oneRun(
    {
      request: loaded.request,
      inputs: loaded.inputs,
      catalog: installed.catalog,
      profile: said.setup.profile,
      invoked: said.setup.invoke_skills,
      ...(await modelsOf(job, world)),
      limits,
      guardrails: guardrailsOf(plan.agent),
      policy,
      approver: scriptedApprover(said.approvals),
      sandbox: world.sandbox,
      isolation: world.isolation,
      hosts: world.conversations.hosts,
      evalRunId: world.evalRunId,
      cellKey: cell.key,
      case: { suite: loaded.suite, id: said.id },
      env: world.env,
      variables: lentVariables(plan.envKeys, world.env),
      clock,
      random,
      signal,
    },
    log,
  );
  await log[Symbol.asyncDispose]();
  signal.throwIfAborted();
  const run = readRun(log.dir);
  const asking = { trial, signal };
  const rubric = world.judge && (await askAboutRubric(loaded, run.final, world.judge, asking));
  return { report: await gradeRun(run, loaded, { trial, model, rubric: rubric ?? undefined }), dir: log.dir };
}

async function modelsOf(
  { loaded, model, trial, limits }: AgentJob & { loaded: LoadedAgentCase },
  { models, clock }: AgentWorld,
): Promise<{ model: AgentModel; fallback: AgentModel | null; streaming: boolean }> {
  const { mock } = loaded.case;
  if (model === "mock" && mock !== undefined)
    return { model: scriptModel(mock, clock), fallback: null, streaming: mock.streaming?.enabled === true };
  const maxCostUsd = limits?.max_cost_usd ?? null;
  return { ...(await models.open(model, { trial, maxCostUsd })), streaming: true };
}
