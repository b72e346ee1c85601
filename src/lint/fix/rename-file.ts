import { instructionsName } from "../../skills/folder/instructions-file.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";

/** `Skill.json` becomes `skill.json`. */
export function renameManifest(folder: FixedFolder): Proposal | null {
  return rename(folder, folder.manifestName);
}

/** `skill.md` becomes `SKILL.md`. */
export function renameInstructions(folder: FixedFolder): Proposal | null {
  return rename(folder, instructionsName);
}

/** Where two files could be the one, nobody can tell which is meant. */
function rename(folder: FixedFolder, wanted: string): Proposal | null {
  const alike = folder.names().filter((name) => name.toLowerCase() === wanted.toLowerCase());
  const [found] = alike;
  if (found === undefined || alike.length > 1 || found === wanted) return null;
  const text = folder.whole(found);
  return text === null ? null : { file: found, newFile: wanted, text };
}
