import type { SkillKind } from "../../contract/skill-kind.ts";

/** Whether a folder is of one of these kinds: an empty list means all, and a folder of no known kind matches any. */
export function matchesKinds(faces: readonly SkillKind[], kinds: readonly SkillKind[]): boolean {
  return kinds.length === 0 || faces.length === 0 || faces.some((face) => kinds.includes(face));
}
