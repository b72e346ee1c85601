import type { CellName, EventOf, Listener, RunEvent } from "../contract/event.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import type { Json, JsonObject } from "../shared/json/json.ts";
import type { EvalLog } from "./eval-log.ts";

type OtherEvent = Exclude<RunEvent, EventOf<"attempt-started"> | EventOf<"cell-ended">>;

export interface Emit {
  /** Sends an event to every listener. */
  (event: OtherEvent): void;
  /** Announces the end of a cell, when its result is final and on the disk. */
  ended(cell: CellName, result: CellResult | Promise<CellResult>): void;
  /** Announces that an attempt begins. It may begin when this settles: then its start is on record. */
  begin(event: EventOf<"attempt-started">): Promise<void>;
  /** Settles when everything emitted so far is on the disk and was delivered. Throws what went wrong in writing. */
  settled(): Promise<void>;
}

export interface EmitterOptions {
  runId: string;
  store: Store;
  log: Pick<EvalLog, "append" | "flush">;
  /** Counts the event. Unlike a listener it must not fail: a report without a cell would be silently wrong. */
  fold: (event: RunEvent) => void;
  listeners: readonly Listener[];
  redact: <Value>(value: Value) => Value;
  /** Called when a result cannot be stored: the run must not go on then. */
  stop: (error: unknown) => void;
  /** Makes results that are still being checked final now. */
  hurry?: (() => void) | undefined;
}

/**
 * The single source of events of a run. Secrets are removed before any listener is called, and an ended cell is emitted
 * only when it is on the disk; meanwhile the run goes on.
 */
export function createEmitter({
  runId,
  store,
  log,
  fold,
  listeners,
  redact,
  stop,
  hurry,
}: EmitterOptions): Emit {
  const active = new Set(listeners);
  const pending = new Set<Promise<void>>();
  const checking = new Set<Promise<unknown>>();
  let failure: { error: unknown } | null = null;

  function notify(event: RunEvent): void {
    for (const listener of active) {
      try {
        listener(event);
      } catch {
        active.delete(listener); // a bad listener never stops a run
      }
    }
  }

  function fail(error: unknown): void {
    failure ??= { error };
    stop(error);
  }

  async function persist(cell: CellName, final: CellResult | Promise<CellResult>): Promise<void> {
    try {
      const result = redactedResult(final instanceof Promise ? await final : final, redact);
      const event = { type: "cell-ended", cell, result } as const;
      await store.cellEnded(runId, cell.position, result);
      await log.append(result); // after the store: a line in the log says the cell will not be run again
      fold(event);
      notify(event);
    } catch (error) {
      fail(error);
    }
  }

  async function begin(event: EventOf<"attempt-started">): Promise<void> {
    try {
      await store.attemptStarted(runId, event.cell, event.attempt, event.at);
    } catch (error) {
      fail(error); // stops the other running cells instead of waiting for their deadlines
      throw error;
    }
    notify(event);
  }

  function emit(raw: OtherEvent): void {
    notify(hasNoText(raw) ? raw : withoutSecrets(raw, redact));
  }

  function ended(cell: CellName, result: CellResult | Promise<CellResult>): void {
    if (result instanceof Promise) {
      const checked = result.catch(() => {}).finally(() => checking.delete(checked)); // `persist` hears of it
      checking.add(checked);
    }
    const persisted = persist(cell, result).finally(() => pending.delete(persisted));
    pending.add(persisted);
  }

  return Object.assign(emit, {
    begin,
    ended,
    async settled() {
      hurry?.();
      await Promise.all(checking);
      store.flush();
      log.flush();
      await Promise.all(pending);
      if (failure !== null) throw failure.error;
    },
  });
}

/** Names given by the user stay: a cell without its name could not be counted. */
function withoutSecrets(event: OtherEvent, redact: EmitterOptions["redact"]): OtherEvent {
  if (event.type === "attempt-ended") return { ...redact(event), cell: event.cell };
  return redact(event);
}

/** A result without secrets. Names stay, or it could not be counted. */
export function redactedResult(result: CellResult, redact: EmitterOptions["redact"]): CellResult {
  const redacted = redact(result);
  if (redacted === result) return result;
  const { caseId, skillId, level, suite, model, arm, details } = result;
  const named = { caseId, skillId, level, suite, model, arm };
  return { ...redacted, ...named, details: withTags(redacted.details, details) };
}

/** Tags are names as well, at every level that stores them. */
function withTags(redacted: Json, details: Json): Json {
  const tags = asObject(details)?.tags;
  const members = asObject(redacted);
  return tags === undefined || members === null ? redacted : { ...members, tags };
}

function asObject(value: Json): JsonObject | null {
  return typeof value === "object" && !Array.isArray(value) ? value : null;
}

/** Only the text of skills and scorers can contain a secret, not the names and numbers of cells. */
function hasNoText(event: OtherEvent): boolean {
  return (
    event.type === "attempt-ended" &&
    event.attempt.message === null &&
    event.stderrTail === undefined &&
    event.stray === undefined
  );
}
