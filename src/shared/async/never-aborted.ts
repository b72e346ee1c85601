/** For work that nobody interrupts because it is over at once. */
export const neverAborted: AbortSignal = new AbortController().signal;
