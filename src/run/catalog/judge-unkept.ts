import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../base/clock.ts";
import { redactor } from "../../base/redact.ts";
import type { Listener } from "../../contract/event.ts";
import type { QueryLine } from "../../contract/trigger-report.ts";
import { openSqliteStore } from "../../store/sqlite.ts";
import { queryName } from "../../trigger/compare/query-name.ts";
import { Interrupted } from "../interrupted.ts";
import { createRun } from "../open-run.ts";
import { runCells } from "../run-cells.ts";
import type { ReadyTriggers } from "../triggering/prepare-triggers.ts";
import { nothingRuns } from "../triggering/run-trigger.ts";
import { triggerPart } from "../triggering/trigger-part.ts";
import type { PassOptions } from "../triggering/trigger-request.ts";

export interface UnkeptWorld {
  concurrency: number;
  version: string;
  signal: AbortSignal;
  listeners: readonly Listener[];
}

/** Has the queries of a pass judged as any run does, in a store of its own: what comes of it is all that anybody wants to know. */
export async function judgeUnkept(
  ready: ReadyTriggers,
  { seed, timeoutMs }: Pick<PassOptions, "seed" | "timeoutMs">,
  { concurrency, version, signal, listeners }: UnkeptWorld,
): Promise<QueryLine[]> {
  const folder = mkdtempSync(join(tmpdir(), "eval-skills-catalog-"));
  try {
    await using store = await openSqliteStore(join(folder, "store.db"));
    const run = await createRun(store, null, { clock: systemClock, version });
    const lines: QueryLine[] = [];
    const part = triggerPart(ready, {
      seed,
      concurrency,
      timeoutMs,
      firstPosition: 0,
      startedAt: run.startedAt,
      add: (line) => void lines.push(line),
    });
    const places = new Map(
      [...part.plan].map(({ skill, task, position }) => [
        queryName({ skillId: skill.id, queryId: task.task.id }),
        position,
      ]),
    );
    const work = {
      concurrency,
      evalLog: null,
      containment: nothingRuns,
      warnings: [],
      abandon: async () => {},
    };
    const redact = redactor(ready.judges.secrets());
    const world = { store, clock: systemClock, random: Math.random, signal, listeners };
    const end = await runCells(run, { ...work, parts: [part], redact }, world);
    if (end.state === "interrupted") throw new Interrupted(end.signal);
    end.tell({ type: "run-ended", state: "done" });
    const placeOf = (line: QueryLine) => places.get(queryName(line)) ?? 0;
    return lines.sort((a, b) => placeOf(a) - placeOf(b));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
