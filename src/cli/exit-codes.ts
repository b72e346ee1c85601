/** What a process tells its caller: 0 done, 1 gate failed, 2 the user can mend it, 3 no verdict, 130/143 interrupted. */
export type ExitCode = 0 | 1 | 2 | 3 | 130 | 143;

const strongestFirst: readonly ExitCode[] = [130, 143, 2, 3, 1, 0];

/** The one code that stands for all of these. */
export function strongestExitCode(codes: Iterable<ExitCode>): ExitCode {
  const found = new Set(codes);
  return strongestFirst.find((code) => found.has(code)) ?? 0;
}
