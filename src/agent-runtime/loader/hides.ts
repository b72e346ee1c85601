import { posix } from "node:path";
import type { AgentCatalog } from "../../contract/agent-parts.ts";
import type { PathFacts } from "../../shared/files/path-guard.ts";

/** Whether a path in the folder of a skill, as it was asked for or as links lead, is material that tests the skill. */
export function hides(
  { isHidden }: Pick<AgentCatalog, "isHidden">,
  { requested, resolved, inside }: PathFacts,
): boolean {
  const plain = posix.normalize(requested).replace(/\/$/, "");
  return inside && (isHidden(plain) || (resolved !== null && isHidden(resolved)));
}
