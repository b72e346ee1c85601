import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { SkillRoot } from "../../engine/skills/skill-root-folders.ts";
import { UserError } from "../../shared/user-error.ts";

/** The folders of skills that were typed. Those nobody names may be missing; these may not. */
export function typedRoots(paths: readonly string[], cwd: string): SkillRoot[] {
  return paths.map((path) => {
    const dir = resolve(cwd, path);
    if (statSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true)
      throw new UserError("skill-not-found", `skills folder not found: ${path}`, { path });
    return { source: "project", path: dir };
  });
}
