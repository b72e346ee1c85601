import { resolve } from "node:path";

interface PathWishes {
  evalLog?: string | null | undefined;
  outputDir?: string | undefined;
}

/** Those of the wishes that a plan keeps, as far as anybody wished. Paths are kept whole: a run may be resumed from another folder. */
export function keptWishes<Wishes extends PathWishes, Name extends keyof Wishes>(
  wishes: Wishes,
  names: readonly Name[],
  cwd: string,
): Partial<Pick<Wishes, Name>> {
  const { evalLog, outputDir } = wishes;
  const whole = {
    ...wishes,
    evalLog: evalLog && resolve(cwd, evalLog),
    outputDir: outputDir && resolve(cwd, outputDir),
  };
  const kept = names.flatMap((name) => (whole[name] === undefined ? [] : [[name, whole[name]] as const]));
  return Object.fromEntries(kept) as Partial<Pick<Wishes, Name>>;
}
