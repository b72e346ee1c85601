import { hash } from "node:crypto";
import type { RoutableSkill } from "../contract/routing.ts";
import { canonicalJson } from "../shared/json/canonical-json.ts";

/** One digest for all that may decide among skills, in whatever order they were found. What they are installed as decides nothing. */
export function catalogDigest(skills: readonly RoutableSkill[]): string {
  const facts = skills.map(({ aliases, toolNames, ...deciding }) => canonicalJson(deciding));
  return hash("sha256", facts.sort().join("\n"), "hex");
}
