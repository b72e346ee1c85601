import { WaitingLine } from "../shared/async/waiting-line.ts";

/** Lets so many pieces of work be done at once; further ones wait, first come first served, or until they are called off. */
export function inTurn(
  places: number,
): <Value>(work: () => Promise<Value>, signal: AbortSignal) => Promise<Value> {
  const line = new WaitingLine();
  let free = places;
  return async (work, signal) => {
    if (free > 0) free--;
    else await line.wait(signal);
    try {
      return await work();
    } finally {
      // Who waits takes the place over.
      if (line.isEmpty) free++;
      else line.admit();
    }
  };
}
