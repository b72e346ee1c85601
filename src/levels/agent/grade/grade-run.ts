import type { JudgedWord } from "../../../cases/ask-about-sentences.ts";
import { type CheckResult, type Judged, judge, unseenScores } from "../../../cases/grade/dimension.ts";
import { quotesFor, toFailure } from "../../../cases/grade/failures.ts";
import { replyTallies } from "../../../cases/grade/tallies.ts";
import { type Dimension, dimensions } from "../../../contract/agent-case.ts";
import type { RecordedRun } from "../../../contract/agent-log.ts";
import { recount } from "../../../contract/agent-recount.ts";
import type { CaseReport, GradedVerdict, TriggerScore } from "../../../contract/agent-report.ts";
import type { LoadedAgentCase } from "../../../contract/loaded-case.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { checkBudget } from "./budget.ts";
import { calledTool, callNames } from "./call.ts";
import { checkDisclosure } from "./disclosure.ts";
import { isExpected } from "./expected-errors.ts";
import { checkOutput } from "./output.ts";
import { type RunView, viewRun } from "./run-view.ts";
import { checkSecurity } from "./security.ts";
import { checkSequence } from "./sequence.ts";
import { checkStreaming } from "./streaming.ts";
import { checkTrigger, triggerFacts, triggerTally } from "./trigger.ts";
import { graderVersion, type JudgedRubric, judgeRubric, runVerdict } from "./verdict.ts";

export { graderVersion } from "./verdict.ts";

interface GradedAbout {
  trial: number;
  model: string;
  /** The judge's decision on each sentence of the rubric; absent if no judge was asked. */
  rubric?: readonly JudgedWord[] | undefined;
}

/**
 * Judges how an agent worked, from what its run left behind and nothing else. Equal runs and cases give equal reports, to the
 * byte. This holds only because patterns are matched in a thread.
 */
export async function gradeRun(
  run: RecordedRun,
  loaded: LoadedAgentCase,
  about: GradedAbout,
): Promise<CaseReport> {
  const view = run.problem === null ? viewRun(run, loaded) : null;
  if (view === null) return makeReport(run, loaded, about, unreadable(run));

  const judged: Judged[] = [];
  for (const dimension of dimensions)
    judged.push(judgeDimension(view, dimension, await dimensionChecks[dimension](view)));
  const rubric = judgeRubric(view, about.rubric);
  const failures = judged.flatMap(({ dimension, faults }) =>
    faults.map((fault) => toFailure(dimension, fault)),
  );
  failures.push(...(rubric?.faults ?? []).map((fault) => toFailure("rubric", fault)));
  return makeReport(run, loaded, about, {
    verdict: runVerdict(view, judged, rubric),
    scores: runScores(view, judged, rubric),
    failures,
    idle: judged.flatMap(({ idle }) => idle),
    warnings: scriptWarnings(view),
    trigger: triggerTally(view),
  });
}

const dimensionChecks: Readonly<
  Record<Dimension, (view: RunView) => CheckResult[] | Promise<CheckResult[]>>
> = {
  trigger: checkTrigger,
  sequence: checkSequence,
  disclosure: checkDisclosure,
  security: checkSecurity,
  budget: checkBudget,
  output: checkOutput,
  streaming: checkStreaming,
};

/** In our own runs there is evidence of everything, so every check is asserted. */
function judgeDimension(view: RunView, dimension: Dimension, checks: readonly CheckResult[]): Judged {
  const isDemanded = view.case.expect.dimensions.includes(dimension);
  return judge(dimension, checks, { isAsserted: view.isNative || isDemanded, isDemanded });
}

interface Findings {
  verdict: GradedVerdict;
  scores: CaseReport["scores"];
  failures: CaseReport["failures"];
  idle: readonly string[];
  warnings: readonly string[];
  trigger: CaseReport["tallies"]["trigger"];
}

function makeReport(
  run: RecordedRun,
  { suite, level, case: { id } }: LoadedAgentCase,
  { trial, model }: GradedAbout,
  { verdict, scores, failures, idle, warnings, trigger }: Findings,
): CaseReport {
  return {
    suite,
    case_id: id,
    run_id: run.runId,
    level,
    trial,
    model,
    ...verdict,
    scores,
    failures,
    not_exercised: [...idle],
    warnings: [...run.warnings.slice(0, maxWarnings), ...warnings],
    stats: runStats(run),
    tallies: { ...replyTallies(run.events), trigger },
    quotes: quotesFor(run, failures),
    grader: graderVersion,
  };
}

const maxWarnings = 50;

function runStats({ events }: RecordedRun): CaseReport["stats"] {
  const { turns, tool_calls, script_runs, resource_loads, model_calls } = recount(events);
  const started = events.find((event) => event.type === "run_started");
  const finished = events.findLast((event) => event.type === "run_finished");
  return {
    turns,
    tool_calls,
    script_runs,
    resource_loads,
    model_calls,
    stop_reason: finished?.data.stop_reason ?? null,
    degraded: finished?.data.degraded ?? null,
    isolation: started?.data.isolation?.level ?? null,
  };
}

function unreadable({ problem }: RecordedRun): Findings {
  const { code, message } = problem ?? {
    code: "RunIncomplete",
    message: "run_started or run_finished is missing",
  };
  return {
    verdict: { status: "invalid", pass: null, no_verdict: { code, message } },
    scores: unseenScores(),
    failures: [],
    idle: [],
    warnings: [],
    trigger: null,
  };
}

function runScores(
  view: RunView,
  judged: readonly Judged[],
  rubric: JudgedRubric | null,
): CaseReport["scores"] {
  const scores = unseenScores();
  for (const { dimension, score } of judged)
    if (dimension === "trigger") scores.trigger = triggerScore(view, score);
    else scores[dimension] = score;
  return rubric === null ? scores : { ...scores, rubric: rubric.score };
}

const maxNames = 200;

function triggerScore(view: RunView, score: Judged["score"]): TriggerScore {
  const { status, pass, checks } = score;
  const { precision, recall, selected, rejected } = triggerFacts(view);
  return {
    status,
    pass,
    precision,
    recall,
    selected: selected.slice(0, maxNames),
    rejected: rejected.slice(0, maxNames),
    checks,
  };
}

/** What does not affect the verdict on a scripted case, but its author should know. */
function scriptWarnings(view: RunView): string[] {
  return view.isMock ? [...unusedEntries(view), ...unexpectedFailures(view)] : [];
}

function unusedEntries({ finished, case: { mock } }: RunView): string[] {
  const unused = finished.data.mock?.unused ?? 0;
  if (unused === 0 || mock?.strict === true) return [];
  return [
    `${pluralize(unused, "entry", "entries")} of the script ${unused === 1 ? "was" : "were"} never used`,
  ];
}

/** A script answers whatever happened before: a failure on the way would go unnoticed. */
function unexpectedFailures(view: RunView): string[] {
  return view.calls.flatMap((call) => {
    const failed = call.executed.find(({ data }) => data.started && data.ok === false);
    const error = failed?.data.error;
    if (failed === undefined || error === undefined) return [];
    const names = callNames(call);
    if (view.case.expect.errors.some((expected) => isExpected(expected, error.code, names))) return [];
    const tool = calledTool(call) ?? failed.data.action;
    const field = JSON.stringify({
      errors: [{ code: error.code, ...(tool !== failed.data.action && { tool }) }],
    });
    const what = `turn ${failed.turn}: ${shownText(tool)} failed with ${shownText(error.code)}`;
    return [`${what} (${shownText(error.message, 160)}); if this is intended, add "expect": ${field}`];
  });
}
