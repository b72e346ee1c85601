import { existsSync } from "node:fs";
import { resolve } from "node:path";

/** One tool of a skill, as a user names it. */
export interface ToolTarget {
  /** The skill's folder or its manifest. */
  skill: string;
  tool: string;
}

/** What `<skill>#<tool>` means; null where it is a path like any other, also one that has a `#` in its name. */
export function toolTarget(path: string, cwd: string): ToolTarget | null {
  const at = path.lastIndexOf("#");
  if (at < 1 || existsSync(resolve(cwd, path))) return null;
  return { skill: path.slice(0, at), tool: path.slice(at + 1) };
}
