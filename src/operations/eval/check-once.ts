import { join } from "node:path";
import { Benchmark, type LoadedBenchmark } from "../../contract/benchmark.ts";
import type { Cell } from "../../contract/cell.ts";
import type { Containment } from "../../contract/containment.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Task } from "../../contract/task.ts";
import type { Emit } from "../../engine/emit.ts";
import { pickSideOutput } from "../../engine/outcome-words.ts";
import { runCell } from "../../engine/run-cell.ts";
import type { RunContext } from "../../engine/run-context.ts";
import { watchInputs } from "../../engine/run-inputs.ts";
import { watchSpending } from "../../engine/spending.ts";
import { systemClock as clock } from "../../shared/async/clock.ts";
import { listed } from "../../shared/text/phrases.ts";
import { UserError } from "../../shared/user-error.ts";
import { unitTargets } from "../../skills/targets/unit-targets.ts";
import { prepareRun, type ReadyRun } from "./preflight.ts";
import type { PlanOptions } from "./request.ts";

export interface Check {
  /** Names the one skill. */
  plan: PlanOptions;
  context: RunContext;
  task: Task;
  /** The flag of the expectation, such as `--regex`: errors name it. */
  source: string;
  /** Aborted when the user wants to stop: the check then throws the signal's reason, and nothing of it is left. */
  signal: AbortSignal;
  /** Called when everything was checked, before the skill is called. */
  onReady?: (ready: Pick<ReadyRun, "sandbox" | "warnings">) => void;
}

export interface CheckEnd {
  result: CellResult;
  /** What the skill printed besides its answer. */
  chatter: Pick<CellResult, "stray" | "stderrTail">;
  containment: Containment;
}

/** Runs one task with one skill, as a run would, and stores nothing. */
export async function checkOnce(check: Check): Promise<CheckEnd> {
  const { plan, context, signal } = check;
  await refuseSeveral(plan);
  await using ready = await prepareRun(plan, context, asBenchmark(check)).catch((error: unknown) => {
    throw nameTypedSource(error, check);
  });
  check.onReady?.(ready);
  const [cell] = ready.suite.cells;
  const ended = await runOnce(cell as Cell, ready, signal);
  return { ...ended, containment: ready.sandbox.containment };
}

async function refuseSeveral({ skills, cwd }: PlanOptions): Promise<void> {
  const { targets } = await unitTargets(skills, cwd);
  if (targets.length < 2) return;
  const names = targets.map(({ shown }) => shown);
  throw new UserError("usage", `expected one skill in ${skills.join(" ")}, found ${names.length}`, {
    hint: `choose one of ${listed(names, 5)}`,
  });
}

/** Stands for the benchmark file: paths in the task count from the current folder. */
function commandLinePath({ plan }: Check): string {
  return join(plan.cwd, "(command line)");
}

function asBenchmark(check: Check): LoadedBenchmark {
  const benchmark = Benchmark.parse({ id: "task", name: "task", version: "0.0.0", tasks: [check.task] });
  return { benchmark, path: commandLinePath(check), taskPaths: new Map(), warnings: [] };
}

/** Errors of scorers name a file and a path in it; here there is only a command line. */
function nameTypedSource(error: unknown, check: Check): unknown {
  if (!(error instanceof UserError) || error.path !== commandLinePath(check)) return error;
  const problem = error.message.replace(`task ${check.task.id}: `, "");
  return new UserError(error.code, `${check.source}: ${problem}`, {
    hint: error.hint ?? undefined,
    cause: error,
  });
}

async function runOnce(
  cell: Cell,
  ready: ReadyRun,
  signal: AbortSignal,
): Promise<Pick<CheckEnd, "result" | "chatter">> {
  const ended: (CellResult | Promise<CellResult>)[] = [];
  let chatter: CheckEnd["chatter"] = {};
  const epochMs = clock.now() - clock.monotonic();
  const watch = watchInputs();
  const onEvent = (event: Parameters<Emit>[0]) => {
    if (event.type === "attempt-ended") chatter = pickSideOutput(event);
  };
  await runCell(cell, {
    suite: { ...ready.suite, retries: 0 },
    redact: ready.redact,
    clock,
    steadyNow: () => epochMs + clock.monotonic(),
    random: Math.random,
    signal,
    emit: Object.assign(onEvent, {
      begin: async () => {},
      ended: (_: unknown, result: CellResult | Promise<CellResult>) => void ended.push(result),
      settled: async () => {},
    }),
    watch,
    spending: watchSpending(null),
    earlierAttempts: null,
  });
  watch.flush();
  const [result] = (await Promise.all(ended)) as [CellResult];
  const { caseId, skillId } = result;
  return { result: { ...ready.redact(result), caseId, skillId }, chatter: ready.redact(chatter) };
}
