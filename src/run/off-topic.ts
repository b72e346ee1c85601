import { sha256 } from "../base/canonical-json.ts";
import { forEachOf } from "../base/for-each-of.ts";
import type { UnkeptWorld } from "./judge-unkept.ts";
import type { ReadyTriggers } from "./prepare-triggers.ts";

/** What is loaded for requests that are meant for nobody. A judge that is asked about one skill at a time leaves this to the router. */
export async function askOffTopic(
  queries: readonly string[],
  { judges, subjects }: ReadyTriggers,
  { concurrency, signal }: Pick<UnkeptWorld, "concurrency" | "signal">,
): Promise<{ query: string; chosen: string | null }[]> {
  const router = await judges.router();
  const chooser = subjects.find(({ judge }) => judge?.kind === "catalog");
  const answers = new Map<string, string | null | undefined>();
  await forEachOf(queries, concurrency, async (query) => {
    if (chooser?.judge == null) {
      const { skills } = await router.route({ query }, signal);
      answers.set(query, skills.find(({ selected }) => selected)?.id ?? null);
      return;
    }
    const { judged, digest, judge } = chooser;
    const id = sha256(query).slice("sha256:".length, "sha256:".length + 12);
    const answer = await judge.judge(
      { skill: { ...judged, digest }, query: { id, text: query }, repeat: 0 },
      signal,
    );
    const isDecided = answer.outcome === "yes" || answer.outcome === "no";
    answers.set(query, isDecided ? (answer.chosen ?? null) : undefined);
  });
  return queries.flatMap((query) => {
    const chosen = answers.get(query);
    return chosen === undefined ? [] : [{ query, chosen }]; // one that was not answered is none of the share
  });
}
