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
