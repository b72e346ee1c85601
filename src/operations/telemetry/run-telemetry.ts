import type { CellName, EventOf, Listener } from "../../contract/event.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Telemetry, TelemetryContext } from "../../contract/telemetry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";

/** What is known of a run before it starts. */
export interface RunFacts {
  command: string;
  /** Ids. */
  skills: readonly string[];
  models: readonly string[];
}

/** Emits the events of a run as telemetry: ids, counts and times. */
export interface RunTelemetry {
  onEvent: Listener;
  /** Emits the end of the run, once; null where the exit code is unknown. */
  end(exitCode: number | null): void;
}

/** Longer lists are cut; their full length is emitted too. */
const maxIds = 50;

/** Levels whose cells are about one skill; at the others a model is tested, with whichever skills it has. */
const skillLevels: ReadonlySet<string> = new Set(["contract", "unit", "trigger"]);

/** Turns the events of a run into telemetry. A resumed run emits only the cells that ran now. */
export function runTelemetry(telemetry: Telemetry, facts: RunFacts, clock: Clock): RunTelemetry {
  const counts = { passed: 0, failed: 0, no_verdict: 0 };
  /** The context of running cells, shared by both of their events. */
  const started = new Map<string, TelemetryContext>();
  let run: { id: string; beganMs: number } | null = null;

  function cellContext({ key, level, subject, caseId }: CellName): TelemetryContext {
    const cell = { run_id: run?.id ?? "", cell_id: key };
    return skillLevels.has(level)
      ? { ...cell, skill_id: subject, task_id: caseId }
      : { ...cell, case_id: caseId };
  }

  function begin({ runId, cells, alreadyDone }: EventOf<"run-started">): void {
    run = { id: runId, beganMs: clock.monotonic() };
    const { command, skills, models } = facts;
    telemetry.emit(
      "run.start",
      {
        command,
        cells,
        already_done: alreadyDone,
        skills: skills.slice(0, maxIds),
        skill_count: skills.length,
        models: models.slice(0, maxIds),
        model_count: models.length,
      },
      { run_id: runId },
    );
  }

  function cellEnded({ cell, result }: EventOf<"cell-ended">): void {
    const context = started.get(cell.key) ?? cellContext(cell);
    started.delete(cell.key);
    counts[result.status === "pass" ? "passed" : result.status === "invalid" ? "no_verdict" : "failed"]++;
    telemetry.emit("cell.done", cellPayload(result), context);
  }

  return {
    onEvent(event) {
      if (event.type === "run-started") begin(event);
      else if (event.type === "cell-ended") cellEnded(event);
      else if (event.type === "attempt-started" && !started.has(event.cell.key)) {
        const { key, trial, suite } = event.cell;
        const context = cellContext(event.cell);
        started.set(key, context);
        telemetry.emit("cell.start", { trial, suite }, context);
      }
    },
    end(exitCode) {
      if (run === null) return;
      const ms = clock.monotonic() - run.beganMs;
      telemetry.emit("run.done", { ...counts, ms: rounded(ms), exit_code: exitCode }, { run_id: run.id });
      run = null;
    },
  };
}

function cellPayload({ status, cause, score, latencyMs, usage }: CellResult): JsonObject {
  return {
    status,
    cause,
    score,
    ms: latencyMs === null ? null : rounded(latencyMs),
    tokens: usage?.totalTokens ?? null,
    usd: usage?.costUsd ?? null,
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
