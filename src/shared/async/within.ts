import { onAbort } from "./on-abort.ts";

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
