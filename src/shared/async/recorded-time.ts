import { AsyncLocalStorage } from "node:async_hooks";

/** What recorded replies took when they were recorded. */
export interface RecordedTime {
  /** Null where a recording does not say. */
  ms: number | null;
  /** When the latest of them was recorded; null where no recording says. */
  at: string | null;
}

const ledgers = new AsyncLocalStorage<{ time: RecordedTime | null }>();

/** Does some work, and adds up the time of the recorded replies in it; null where there were none. */
export async function withRecordedTime<Value>(
  work: () => Promise<Value>,
): Promise<{ value: Value; recorded: RecordedTime | null }> {
  const ledger: { time: RecordedTime | null } = { time: null };
  const value = await ledgers.run(ledger, work);
  return { value, recorded: ledger.time };
}

/** Called where a recorded reply is given instead of a real one. Outside of such work it does nothing. */
export function passRecordedTime({ ms, at }: RecordedTime): void {
  const ledger = ledgers.getStore();
  if (ledger === undefined) return;
  const before = ledger.time ?? { ms: 0, at: null };
  const isKnown = before.ms !== null && ms !== null;
  const isLater = at !== null && (before.at === null || at > before.at);
  ledger.time = { ms: isKnown ? (before.ms as number) + (ms as number) : null, at: isLater ? at : before.at };
}
