import type { CellName, Listener, RunEvent } from "../contract/event.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";

export interface Tell {
  /** Tells a fact to everyone who listens. */
  (event: RunEvent): void;
  /** Settles when everything told so far is on the disk and was heard. Throws what went wrong in writing. */
  settled(): Promise<void>;
}

export interface Teller {
  runId: string;
  benchmarkId: string;
  store: Store;
  /** Appends to the line log; settles when the line is on the disk. */
  log: (result: CellResult) => Promise<void>;
  listeners: readonly Listener[];
  redact: <Value>(value: Value) => Value;
  /** Called once when the record cannot be kept: a run that cannot remember must not go on. */
  stop: (error: unknown) => void;
}

/**
 * The one voice of a run. Secrets are taken out before anyone hears, and an ended cell is heard of
 * only when it is on the disk; meanwhile the run goes on.
 */
export function teller({ runId, benchmarkId, store, log, listeners, redact, stop }: Teller): Tell {
  const awake = new Set(listeners);
  const pending = new Set<Promise<void>>();
  let failure: { error: unknown } | null = null;

  function hear(event: RunEvent): void {
    for (const listener of awake) {
      try {
        listener(event);
      } catch {
        awake.delete(listener); // a bad listener never stops a run
      }
    }
  }

  async function keep(cell: CellName, result: CellResult): Promise<void> {
    try {
      await Promise.all([store.cellEnded(runId, benchmarkId, cell.position, result), log(result)]);
      hear({ type: "cell-ended", cell, result });
    } catch (error) {
      failure ??= { error };
      stop(error);
    }
  }

  function tell(told: RunEvent): void {
    // Names of cells come from files the user named; only what skills and scorers said can hold a secret.
    const event = told.type === "attempt-started" ? told : redact(told);
    if (event.type === "attempt-started") store.attemptStarted(runId, event.cell, event.attempt, event.at);
    if (event.type === "cell-ended") {
      const kept = keep(event.cell, event.result).finally(() => pending.delete(kept));
      pending.add(kept);
    } else hear(event);
  }

  return Object.assign(tell, {
    async settled() {
      await Promise.all(pending);
      if (failure !== null) throw failure.error;
    },
  });
}
