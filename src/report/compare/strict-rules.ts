import { UserError } from "../../shared/user-error.ts";
import type { ComparedSide } from "./compared-side.ts";
import { subjectTitle } from "./diff-words.ts";

/** A skill that passes a case sometimes is not deterministic: one broken case of it proves nothing. */
export function refuseMixed(
  { a, b }: { a: ComparedSide; b: ComparedSide },
  paths: { a: string; b: string },
): void {
  for (const [side, path] of [
    [a, paths.a],
    [b, paths.b],
  ] as const) {
    const mixed = side.tasks.find(({ passed, valid }) => passed > 0 && passed < valid);
    if (mixed === undefined) continue;
    const { taskId, passed, valid } = mixed;
    throw new UserError(
      "usage",
      `--strict needs a deterministic skill: in ${path}, ${subjectTitle(side.subject)} passed ${taskId} in ${passed} of ${valid} trials`,
      { path, hint: "omit --strict: without it, the comparison allows for chance" },
    );
  }
}
