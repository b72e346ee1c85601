import { canonicalJson, sha256 } from "../base/canonical-json.ts";
import type { ReadyTriggers } from "./prepare-triggers.ts";

/** What a pass is made of, in words that name what changed → hash. */
export function triggerIdentity({ subjects }: Pick<ReadyTriggers, "subjects">): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const { skill, digest, queries, judge, repeats, threshold, skipped } of subjects) {
    identity[`skill ${skill.id}`] = short(digest);
    identity[`the judge of ${skill.id}`] = hash({ judge: judge?.identity, repeats, threshold, skipped });
    for (const { id, text, side } of queries) identity[`query ${id} of ${skill.id}`] = hash({ text, side });
  }
  return identity;
}

function hash(value: unknown): string {
  return short(sha256(canonicalJson(value)));
}

function short(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + 16);
}
