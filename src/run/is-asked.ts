import type { SkillKind } from "../contract/skill-kind.ts";

/** Whether a folder is of a kind that was asked for: none asks for all, and a folder of no known kind may be of any. */
export function isAsked(faces: readonly SkillKind[], kinds: readonly SkillKind[]): boolean {
  return kinds.length === 0 || faces.length === 0 || faces.some((face) => kinds.includes(face));
}
