import { shortDigest, shortHash } from "../../engine/stored-plan.ts";
import { scoringRules } from "./level.ts";
import type { ReadyTriggers } from "./prepare.ts";
import { isCalibratedEnough } from "./verdict/gold-agreement.ts";

/**
 * What trigger tests are made of, in words that name what changed → hash. Whatever makes the key of a query is among it;
 * behind a `|` stands what only decides about answers: on which side a query is, and which share of answers is needed.
 */
export function triggerIdentity({
  subjects,
  judges,
}: Pick<ReadyTriggers, "subjects" | "judges">): Record<string, string> {
  const identity: Record<string, string> = {};
  for (const { skill, digest, queries, judge, repeats, threshold, skipped, agreement, judged } of subjects) {
    // An agent has all files of a skill before it, every other judge its card; the queries are among the files.
    const shown = judge?.kind === "agent" ? digest : judged;
    identity[`skill ${skill.id}`] = `${shortHash(shown)}|${shortDigest(digest)}`;
    const asked = shortHash({ judge: judge?.identity, repeats, skipped });
    identity[`the judge of ${skill.id}`] = `${asked}|${threshold}`;
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
