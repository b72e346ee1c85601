import { isCalibratedEnough } from "../../trigger/verdict/gold-agreement.ts";
import { shortDigest, shortHash } from "../short-digest.ts";
import type { ReadyTriggers } from "./prepare-triggers.ts";

/** What a pass is made of, in words that name what changed → hash. Whatever makes the key of a query is among it. */
export function triggerIdentity({
  subjects,
  judges,
}: Pick<ReadyTriggers, "subjects" | "judges">): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const { skill, digest, queries, judge, repeats, threshold, skipped, agreement } of subjects) {
    identity[`skill ${skill.id}`] = shortDigest(digest);
    identity[`the judge of ${skill.id}`] = shortHash({ judge: judge?.identity, repeats, threshold, skipped });
    if (!isCalibratedEnough(agreement)) identity[`what the judge of ${skill.id} is trusted with`] = "nothing";
    for (const { id, text, side } of queries)
      identity[`query ${id} of ${skill.id}`] = shortHash({ text, side });
  }
  if (subjects.some(({ skipped }) => skipped === null))
    identity["the catalog around the skills"] = shortHash(judges.lexical.catalogSha256);
  return identity;
}
