/** A timer that is set for longer fires at once. */
export const longestTimerMs = 2_147_483_647;
