import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Listener } from "../../contract/event.ts";
import type { Judge } from "../../contract/judge.ts";
import type { SuiteRun } from "../../contract/level.ts";
import type { CellResult } from "../../contract/result.ts";
import { noTelemetry } from "../../contract/telemetry.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { createRun } from "../../engine/open-run.ts";
import { nothingRuns } from "../../engine/plain-suite.ts";
import { runCells } from "../../engine/run-cells.ts";
import type { ReadyTriggers } from "../../levels/trigger/prepare.ts";
import { queryLines } from "../../levels/trigger/query-lines.ts";
import type { TriggerSuiteOptions } from "../../levels/trigger/request.ts";
import { triggerSuite } from "../../levels/trigger/suite.ts";
import { queryName } from "../../levels/trigger/verdict/query-line.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { openSqliteStore } from "../../store/sqlite.ts";

export interface JudgingContext {
  concurrency: number;
  version: string;
  signal: AbortSignal;
  listeners: readonly Listener[];
}

/** Judges the queries of a trigger suite as a run would, in a temporary store. */
export async function judgeInTemporaryStore(
  ready: ReadyTriggers,
  { seed, timeoutMs }: Pick<TriggerSuiteOptions, "seed" | "timeoutMs">,
  { concurrency, version, signal, listeners }: JudgingContext,
): Promise<QueryLine[]> {
  const folder = mkdtempSync(join(tmpdir(), "eval-skills-catalog-"));
  try {
    await using store = await openSqliteStore(join(folder, "store.db"));
    const run = await createRun(store, null, { clock: systemClock, version });
    const suite = triggerSuite(
      { ...ready, seed, timeoutMs, isPartial: false },
      { run, telemetry: noTelemetry },
    );
    const { redact } = ready;
    const { catalogSha256 } = ready.judges.lexical;
    const gathered = queryLines(ready.subjects, { seed, redact, catalogSha256 });
    const lines = new Map<string, QueryLine>();
    const work = {
      suites: [suite],
      add(_: SuiteRun, result: CellResult) {
        const line = gathered.add(result);
        if (line !== null) lines.set(queryName(line), line);
      },
      concurrency,
      evalLog: null,
      containment: nothingRuns,
      warnings: [],
      redact,
      abandon: async () => {},
    };
    const context = { store, clock: systemClock, random: Math.random, signal, listeners };
    const end = await runCells(run, work, context);
    if (end.state === "interrupted") throw new Interrupted(end.signal);
    end.emit({ type: "run-ended", state: "done" });
    return ready.subjects.flatMap(({ skill, queries }) =>
      queries.flatMap(({ id }) => lines.get(queryName({ skillId: skill.id, queryId: id })) ?? []),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Asks judges that may contradict themselves a second time, as further repetitions, so that the cache does not answer for them. */
export async function judgeAgain(
  ready: ReadyTriggers,
  suite: Pick<TriggerSuiteOptions, "seed" | "timeoutMs">,
  context: JudgingContext,
): Promise<QueryLine[]> {
  const subjects = ready.subjects.flatMap((subject) => {
    const { judge, repeats } = subject;
    return judge === null || judge.isDeterministic
      ? []
      : [{ ...subject, judge: withRepeatOffset(repeats, judge) }];
  });
  return subjects.length === 0 ? [] : judgeInTemporaryStore({ ...ready, subjects }, suite, context);
}

function withRepeatOffset(repeats: number, judge: Judge): Judge {
  return {
    ...judge,
    judge: (question, signal) => judge.judge({ ...question, repeat: question.repeat + repeats }, signal),
  };
}
