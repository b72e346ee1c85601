import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import { scoringRules } from "./level.ts";
import type { ReadyTriggers } from "./prepare.ts";
import { isCalibratedEnough } from "./verdict/gold-agreement.ts";

/**
 * What trigger tests are made of: names of what may have changed → hash. Includes everything in the key of a query;
 * after the `|` is what only affects how answers count: the side of a query, and the threshold.
 */
export function triggerIdentity({
  subjects,
  judges,
}: Pick<ReadyTriggers, "subjects" | "judges">): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const { skill, digest, queries, judge, repeats, threshold, skipped, agreement, judged } of subjects) {
    // An agent sees all files of a skill, every other judge only its card.
    const shown = judge?.kind === "agent" ? digest : judged;
    identity[`skill ${skill.id}`] = `${shortHash(shown)}|${shortDigest(digest)}`;
    const judgeHash = shortHash({ judge: judge?.identity, repeats, skipped });
    identity[`the judge of ${skill.id}`] = `${judgeHash}|${threshold}`;
    identity[`what the judge of ${skill.id} is trusted with`] =
      `|${isCalibratedEnough(agreement) ? "everything" : "nothing"}`;
    for (const { id, text, side } of queries)
      identity[`query ${id} of ${skill.id}`] = `${shortHash(text)}|${side}`;
  }
  if (subjects.some(({ skipped }) => skipped === null))
    identity["the catalog around the skills"] = shortHash(judges.lexical.catalogSha256);
  identity["the rules of scoring"] = String(scoringRules);
  return identity;
}
