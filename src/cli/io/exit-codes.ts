/** What a process tells its caller: 0 done, 1 gate failed, 2 the user can mend it, 3 no verdict, 130/143 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130 | 143;

/** How an interrupted process ends, as shells expect it. */
export const exitCodeOfSignal = { SIGINT: 130, SIGTERM: 143 } as const;
