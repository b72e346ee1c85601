import { basename } from "node:path";
import type { DescribedSkill } from "./skill.ts";

/** The file that says what a skill is called and does, relative to its folder: its manifest or `SKILL.md`; the folder where it has neither. */
export function describingFile({
  manifest,
  kind,
  instructions,
}: Pick<DescribedSkill, "manifest" | "kind" | "instructions">): string {
  if (manifest !== null) return basename(manifest);
  return kind === "agent-skill" ? (instructions?.path ?? ".") : ".";
}
