import { join } from "node:path";
import { realPath } from "../../shared/files/real-path.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { leftOutNames } from "./walk-folder.ts";

/** A skill with more files does not load, which is reported elsewhere. */
const maxScripts = 10_000;

/** The files below `scripts/`, in code-unit order; helpers in folders of it included, each folder once however links lead to it. */
export function skillScripts(folder: SkillFolder): string[] {
  const found: string[] = [];
  const seen = new Set<string>();
  const waiting = ["scripts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const real = realPath(join(folder.dir, path));
    if (seen.has(real)) continue;
    seen.add(real);
    for (const name of folder.names(path)) {
      if (leftOutNames.has(name)) continue;
      const file = `${path}/${name}`;
      if (folder.problemWith(file) === null) found.push(file);
      else waiting.push(file);
      if (found.length + waiting.length > maxScripts) return found.sort();
    }
  }
  return found.sort();
}
