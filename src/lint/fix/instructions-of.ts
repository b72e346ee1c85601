import { Diagnostics } from "../../contract/diagnostics.ts";
import { detectKind } from "../../skills/folder/detect-kind.ts";
import { instructionsName } from "../../skills/folder/instructions-file.ts";
import type { FixedFolder } from "./fixed-folder.ts";

/** A `SKILL.md` that can be fixed. */
export interface FixableInstructions {
  file: string;
  /** The whole text, byte order mark included. */
  text: string;
}

/** The `SKILL.md` whose frontmatter counts; beside a prompt with tools it is only a prompt. */
export async function instructionsOf(folder: FixedFolder): Promise<FixableInstructions | null> {
  if (!folder.has(instructionsName)) return null;
  const { kind } = await detectKind(folder, new Diagnostics("strict", folder.name));
  if (kind !== "agent-skill" && kind !== "unit") return null;
  const text = folder.whole(instructionsName);
  return text === null ? null : { file: instructionsName, text };
}
