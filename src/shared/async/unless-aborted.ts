import { onAbort } from "./on-abort.ts";

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
