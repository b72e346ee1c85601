import { existsSync } from "node:fs";
import { join } from "node:path";
import { scriptModel } from "../../agent-runtime/decide/script-model.ts";
import { openRunLog } from "../../agent-runtime/log/open-run-log.ts";
import { readRun } from "../../agent-runtime/log/read-run.ts";
import { scriptedApprover } from "../../agent-runtime/tools/approvers.ts";
import { askAboutSentences, storedWords } from "../../cases/ask-about-sentences.ts";
import { caseScore, usageIn } from "../../cases/case-score.ts";
import { type CaseContext, type CaseSuiteFacts, caseSuite } from "../../cases/case-suite.ts";
import { readGuardrails } from "../../cases/effective-case.ts";
import { replyTallies } from "../../cases/grade/tallies.ts";
import { type AgentCase, type AgentSubject, isAgentCase, subjectCondition } from "../../cases/plan-cases.ts";
import { type AgentEvidence, asJson, type PureEvidence, toCaseReport } from "../../contract/agent-details.ts";
import type { AgentModel } from "../../contract/agent-parts.ts";
import type { CaseReport } from "../../contract/agent-report.ts";
import type { Cell } from "../../contract/cell.ts";
import type { LoadedAgentCase, LoadedPureCase } from "../../contract/loaded-case.ts";
import type { Answered } from "../../contract/outcome.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Score } from "../../contract/scorer.ts";
import { passedVariables } from "../../engine/containment/open-containment.ts";
import { runTimeline } from "../../report/timeline/run-timeline.ts";
import type { JudgeModel } from "../../scorers/llm-judge-ask.ts";
import { nearPath } from "../../shared/files/paths.ts";
import { judgePure, pureReport } from "./grade/grade-pure.ts";
import { gradeRun, graderVersion } from "./grade/grade-run.ts";
import { agentLevel } from "./level.ts";
import { oneRun } from "./one-run.ts";
import { runChecks } from "./run-checks.ts";
import { runPureCase } from "./run-pure-case.ts";

/** The agent cases of a suite, and those of pure functions, as a suite of the engine. */
export function agentSuite(facts: CaseSuiteFacts<LoadedAgentCase | LoadedPureCase>) {
  const { context } = facts;
  return caseSuite(facts, {
    level: agentLevel,
    grader: graderVersion,
    async execute(cell, signal) {
      const { loaded } = cell.case;
      if (isAgentCase(loaded))
        return executeAgent({ ...cell, case: { ...cell.case, loaded } }, context, signal);
      const began = context.clock.monotonic();
      const output = asJson(await runPureCase(loaded));
      return { status: "answered", output, latencyMs: context.clock.monotonic() - began } satisfies Answered;
    },
    async score(answer, cell, signal, before) {
      const { loaded } = cell.case;
      if (isAgentCase(loaded))
        return scoreAgent(answer, { ...cell, case: { ...cell.case, loaded } }, context, signal, before);
      const evidence = answer.output as unknown as PureEvidence;
      return caseScore(pureReport(loaded, judgePure(loaded, evidence)));
    },
  });
}

export type AgentCell = Cell<AgentCase<LoadedAgentCase>, AgentSubject>;

/** Runs a case once; its evidence is the run directory. */
async function executeAgent(cell: AgentCell, context: CaseContext, signal: AbortSignal): Promise<Answered> {
  const { subject } = cell;
  const { loaded, limits, policy } = cell.case;
  const { plan, clock, random, redact, secrets } = context;
  if (limits === null || policy === null) throw new Error(`${cell.case.id} has no limits`);
  const began = clock.monotonic();
  await using installed = await context.catalogs.open(loaded, subjectCondition(subject));
  await using log = openRunLog({
    runsDir: context.runsDir,
    recording: "full",
    redact,
    secrets,
    clock,
    random,
  });
  const written = loaded.case;
  await oneRun(
    {
      request: loaded.request,
      inputs: loaded.inputs,
      catalog: installed.catalog,
      profile: written.setup.profile,
      invoked: written.setup.invoke_skills,
      ...(await openModels(cell, context)),
      limits,
      guardrails: readGuardrails(plan.agent),
      policy,
      approver: scriptedApprover(written.approvals),
      sandbox: context.sandbox,
      isolation: context.isolation,
      hosts: context.conversations.hosts,
      evalRunId: context.evalRunId,
      cellKey: cell.key,
      case: { suite: loaded.suite, id: written.id },
      env: context.env,
      variables: passedVariables(plan.envKeys, context.env),
      clock,
      random,
      signal,
    },
    log,
  );
  const digest = log.digest();
  await log[Symbol.asyncDispose]();
  signal.throwIfAborted();
  await runChecks(loaded, log.dir, { sandbox: context.sandbox, env: context.env, signal });
  const latencyMs = clock.monotonic() - began;
  const tallies = replyTallies(readRun(log.dir).events);
  const output = { runDir: log.dir, log: digest } satisfies AgentEvidence;
  return { status: "answered", output, latencyMs, ...usageIn(subject.model, tallies) };
}

/** Grades a recorded run. There is no verdict if its directory is gone. */
export async function scoreAgent(
  { output }: Pick<Answered, "output">,
  { case: { loaded }, subject: { model }, trial }: AgentCell,
  { plan, judgeOf }: Pick<CaseContext, "plan" | "judgeOf">,
  signal: AbortSignal,
  before?: CellResult,
): Promise<Score> {
  const { runDir, log } = output as unknown as AgentEvidence;
  const run = readRun(runDir, log);
  const shown = nearPath(runDir, plan.cwd);
  const judge = judgeOf(loaded);
  const judged =
    before === undefined
      ? judge && (await askAboutRubric(loaded, run.final, judge, { trial, signal }))
      : { words: wordsIn(toCaseReport(before)), judge: before.judge };
  const report = await gradeRun(run, loaded, { trial, model, rubric: judged?.words });
  const isGone = !existsSync(join(runDir, "events.jsonl"));
  return caseScore(
    isGone
      ? {
          ...report,
          no_verdict: { code: "RunIncomplete", message: `the run directory ${shown} no longer exists` },
        }
      : report,
    { runDir: shown, judge: judged?.judge ?? null, timeline: runTimeline(run) },
  );
}

function askAboutRubric(
  { request, case: { title, expect } }: LoadedAgentCase,
  answer: string | null,
  judge: JudgeModel,
  asking: { trial: number; signal: AbortSignal },
) {
  return askAboutSentences({ title, request, sentences: expect.rubric ?? [], answer }, judge, asking);
}

function wordsIn({ scores, failures }: CaseReport) {
  return storedWords(scores.rubric?.checks, failures, ({ dimension }) => dimension === "rubric");
}

async function openModels(
  { case: { loaded, limits }, subject: { model }, trial }: AgentCell,
  { models, clock }: CaseContext,
): Promise<{ model: AgentModel; fallback: AgentModel | null; streaming: boolean }> {
  const { mock } = loaded.case;
  if (model === "mock" && mock !== undefined)
    return { model: scriptModel(mock, clock), fallback: null, streaming: mock.streaming?.enabled === true };
  const maxCostUsd = limits?.max_cost_usd ?? null;
  return { ...(await models.open(model, { trial, maxCostUsd })), streaming: true };
}
