import type { RunInput } from "../contract/level.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { CellResult } from "../contract/result.ts";
import type { Skill } from "../contract/skill.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { afterMs, Gather } from "../shared/async/gather.ts";
import { watchFile } from "../shared/files/file-stamp.ts";
import { nearPath } from "../shared/files/paths.ts";
import { type FolderWatch, watchFolder } from "../skills/folder/folder-watch.ts";

/** Watches what decides about cells: before a call and after the end of a cell it must be what it was when the run began. */
export interface InputWatch {
  /** The outcome of a call that must not be made, because something changed; by answers at most 10 ms old. */
  refusal(inputs: readonly RunInput[]): Promise<Outcome | null>;
  /**
   * What counts of a cell that has ended: itself, or an invalid one where something changed meanwhile. Decided by looks that
   * begin after this call, shared by all cells that end within 10 ms. `details` are those of a cell without a score.
   */
  confirm(
    result: CellResult,
    inputs: readonly RunInput[],
    details: CellResult["details"],
  ): CellResult | Promise<CellResult>;
  /** Looks now instead of in a moment: nothing more is coming. */
  flush(): void;
}

const sharedLookMs = 10;

export function watchInputs(clock: Clock = systemClock): InputWatch {
  const changed = new Set<RunInput>();
  const lookedAtMs = new Map<RunInput, number>();

  async function look(input: RunInput): Promise<void> {
    if (changed.has(input)) return;
    lookedAtMs.set(input, clock.monotonic());
    if (!(await input.look())) changed.add(input);
  }

  const looks = new Gather<readonly RunInput[]>(async (groups) => {
    for (const input of new Set(groups.flat())) await look(input);
  }, afterMs(sharedLookMs));

  return {
    async refusal(inputs) {
      for (const input of inputs)
        if (clock.monotonic() - (lookedAtMs.get(input) ?? Number.NEGATIVE_INFINITY) >= sharedLookMs)
          await look(input);
      const found = inputs.find((input) => changed.has(input));
      if (found === undefined) return null;
      return { status: "invalid", cause: found.cause, message: changeWords(found), latencyMs: 0 };
    },
    confirm(result, inputs, details) {
      if (inputs.length === 0 || result.status === "invalid") return result;
      return looks.add(inputs).then(() => {
        const found = inputs.find((input) => changed.has(input));
        return found === undefined ? result : withoutVerdict(result, found, details);
      });
    },
    flush: () => looks.flush(),
  };
}

function changeWords({ name }: RunInput): string {
  return `${name} changed during the run`;
}

/** The attempt has no answer any more either: scoring it again would make a verdict of what nobody can vouch for. */
function withoutVerdict(result: CellResult, input: RunInput, details: CellResult["details"]): CellResult {
  const { cause } = input;
  const reason = changeWords(input);
  const last = result.attempts.at(-1);
  const attempts =
    last === undefined
      ? result.attempts
      : [
          ...result.attempts.slice(0, -1),
          { ...last, status: "invalid" as const, code: cause, message: reason },
        ];
  return { ...result, status: "invalid", score: null, cause, reason, attempts, details };
}

/** The files of a skill. */
export function skillInput(skillId: string, watch: FolderWatch): RunInput {
  return { cause: "skill-changed", name: `the files of ${skillId}`, look: () => watch.look() };
}

/** Everything that decides about the cells of a run, each watched once however many cells rest on it. */
export interface InputPool {
  files(paths: readonly string[]): RunInput[];
  /** The files of skills, as they were read and hashed. */
  skills(skills: readonly Pick<Skill, "id" | "dir" | "digest" | "adapter">[]): RunInput[];
}

/** `exclude` is never part of a skill. */
export function inputPool({ cwd, exclude }: { cwd: string; exclude: readonly string[] }): InputPool {
  const known = new Map<string, RunInput>();
  return {
    files: fileInputs((path) => nearPath(path, cwd)),
    skills: (skills) =>
      skills.map((skill) => {
        const { id, dir, adapter } = skill;
        const ignore = adapter?.metadata.digestIgnore ?? [];
        const input = known.get(dir) ?? skillInput(id, watchFolder(dir, { ignore, exclude }, skill));
        known.set(dir, input);
        return input;
      }),
  };
}

/** Watches files from now on, each once however many cells rest on it. `shown` is how the user would name a path. */
export function fileInputs(shown: (path: string) => string): (paths: readonly string[]) => RunInput[] {
  const known = new Map<string, RunInput>();
  return (paths) =>
    [...new Set(paths)].map((path) => {
      const input = known.get(path) ?? fileInput(path, shown(path));
      known.set(path, input);
      return input;
    });
}

function fileInput(path: string, name: string): RunInput {
  const watch = watchFile(path);
  return { cause: "input-changed", name, look: () => watch.isUnchanged() };
}
