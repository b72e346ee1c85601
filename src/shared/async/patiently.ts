import { setTimeout as sleep } from "node:timers/promises";

const openPatienceMs = 15_000;

/**
 * Does something with a database that others may hold. Changing the journal mode does not wait for others by itself;
 * starting together must not fail all the same.
 */
export async function patiently<Value>(
  work: () => Value | Promise<Value>,
  patienceMs = openPatienceMs,
): Promise<Value> {
  const until = performance.now() + patienceMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      await sleep(10 + Math.random() * 40);
    }
  }
}

/** Whether somebody else holds the database, so that trying again may help. */
export function isBusy(error: unknown): boolean {
  return /database is locked|SQLITE_BUSY|database table is locked|locking protocol/.test(
    (error as Error | null)?.message ?? "",
  );
}
