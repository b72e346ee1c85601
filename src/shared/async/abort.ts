/** For work that nobody interrupts because it is over at once. */
export const neverAborted: AbortSignal = new AbortController().signal;

const listeners = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls back once when the signal is aborted; the returned function calls it off.
 * All who wait share one listener: thousands of calls come and go under the same signal, and its own list is slow.
 */
export function onAbort(signal: AbortSignal, callBack: () => void): () => void {
  const waiting = listeners.get(signal) ?? listenTo(signal);
  waiting.add(callBack);
  return () => waiting.delete(callBack);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const waiting = new Set<() => void>();
  listeners.set(signal, waiting);
  signal.addEventListener(
    "abort",
    () => {
      for (const callBack of [...waiting]) callBack();
      waiting.clear();
    },
    { once: true },
  );
  return waiting;
}

/** The value of a promise, unless the signal comes first: then its reason is thrown. */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let callOff = () => {};
  const aborted = new Promise<never>((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    else callOff = onAbort(signal, () => reject(signal.reason));
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    callOff();
  }
}

/** The value if it is there within this time and before the signal, else null. With 0: only if it is there already. */
export async function withinMs<Value>(
  promise: Promise<Value>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<Value | null> {
  let giveUp = () => {};
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    giveUp = () => resolve(null);
    if (limitMs === 0 || signal?.aborted) setImmediate(giveUp);
    else timer = setTimeout(giveUp, limitMs);
  });
  const callOff = signal === undefined ? () => {} : onAbort(signal, giveUp);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
    callOff();
  }
}
