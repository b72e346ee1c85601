import { join } from "node:path";
import { defaultSkillRoots } from "../../contract/config.ts";
import { isFolder } from "./scan-folders.ts";

/** The folders below another in which agents keep skills, and which are looked into only where they are named: they begin with a dot. */
export function hiddenRootsIn(folder: string): string[] {
  return defaultSkillRoots.filter((root) => isFolder(join(folder, root)));
}
