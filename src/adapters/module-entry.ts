import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { UnitSkill } from "../contract/unit-skill.ts";
import { readsTypeScript } from "../shared/files/find-program.ts";
import { isInside } from "../shared/files/paths.ts";
import { UserError } from "../shared/user-error.ts";

export interface ModuleEntry {
  /** The module, absolute. */
  file: string;
  /** The part after `#`; null means the default export. */
  exportName: string | null;
}

/** Reads an entrypoint such as `./tool.mjs#search` and makes sure that there is such a module in the skill's folder. */
export function moduleEntry(skill: UnitSkill): ModuleEntry {
  const refuse = (
    problem: string,
    hint?: string,
    code: "adapter-invalid" | "path-outside-skill" = "adapter-invalid",
  ) =>
    new UserError(code, `skill ${skill.id}: ${problem}`, {
      path: skill.manifest,
      jsonPath: "$.entrypoint",
      hint,
    });
  const { path, exportName } = splitEntrypoint(skill.adapter.entrypoint);
  if (path === "" || exportName === "")
    throw refuse("the entrypoint names no module or no export", "write ./tool.mjs or ./tool.mjs#search");
  const file = resolve(skill.dir, path);
  const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false;
  if (
    !isInside(skill.dir, file) ||
    (isThere && !isInside(realpathSync.native(skill.dir), realpathSync.native(file)))
  )
    throw refuse(
      `the module ${path} is outside the skill folder`,
      "move it into the skill folder",
      "path-outside-skill",
    );
  if (!isThere) throw refuse(`the module ${path} is missing: there is no file ${file}`);
  if (!/\.[cm]?[jt]s$/.test(file))
    throw refuse(
      `the module ${path} is not a JavaScript or TypeScript file`,
      "for a program in another language, use the subprocess adapter",
    );
  if (/\.[cm]?ts$/.test(file) && !readsTypeScript())
    throw refuse(
      `the module ${path} needs Node 22.18 or newer (this is ${process.version})`,
      "update Node, or write the module as .mjs",
    );
  return { file, exportName };
}

/** The last `#` counts: a folder may have one in its name, an export may not. */
function splitEntrypoint(entrypoint: string): { path: string; exportName: string | null } {
  const at = entrypoint.lastIndexOf("#");
  return at === -1
    ? { path: entrypoint.trim(), exportName: null }
    : { path: entrypoint.slice(0, at).trim(), exportName: entrypoint.slice(at + 1).trim() };
}
