import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import { didYouMean, spacesHint } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import type { BenchPlan } from "./request.ts";

/** What chooses among the cases of a bench. */
type Wish = Pick<BenchPlan, "cases" | "tags" | "host" | "route" | "limit">;

/** The cases a command asked for, in the order of the bench. */
export function selectBenchCases(bench: LoadedBench, wish: Wish): LoadedBenchCase[] {
  const known = bench.cases.map(({ id }) => id);
  for (const id of wish.cases)
    if (!known.includes(id))
      throw new UserError("usage", `case not found in bench ${bench.file.id}: ${id}`, {
        hint: spacesHint(id, (part) => known.includes(part)) ?? didYouMean(id, known),
      });
  const { tags, host, route } = wish;
  const isWanted = (one: LoadedBenchCase) =>
    (wish.cases.length === 0 || wish.cases.includes(one.id)) &&
    (tags.length === 0 || one.tags.some((tag) => tags.includes(tag))) &&
    (host === null || one.host === host) &&
    (route === "all" || one.stratum === (route === "auto" ? "routed" : "forced"));
  const selected = bench.cases.filter(isWanted).slice(0, wish.limit ?? undefined);
  if (selected.length > 0) return selected;
  throw nothingLeft(bench, wish);
}

/** Whether all cases were asked for: a part of a bench says nothing about the whole. */
export function asksForAll({ cases, tags, host, route, limit }: Wish): boolean {
  return cases.length === 0 && tags.length === 0 && host === null && route === "all" && limit === null;
}

function nothingLeft({ cases, file }: LoadedBench, { tags, host }: Wish): UserError {
  const words = `no matching case in bench ${file.id}`;
  const tag = tags.find((one) => !cases.some((known) => known.tags.includes(one)));
  if (tag !== undefined)
    return nobody(
      `${words}: none has the tag ${tag}`,
      tag,
      listOf(cases, (c) => c.tags),
    );
  const hosts = listOf(cases, (one) => (one.host === undefined ? [] : [one.host]));
  if (host !== null && !hosts.includes(host)) return nobody(`${words}: none is for ${host}`, host, hosts);
  return new UserError("nothing-to-do", `${words} by --case, --tag, --only-host and --route together`);
}

function nobody(words: string, name: string, known: readonly string[]): UserError {
  return new UserError("nothing-to-do", words, {
    hint: known.length === 0 ? undefined : didYouMean(name, known),
  });
}

function listOf(
  cases: readonly LoadedBenchCase[],
  read: (one: LoadedBenchCase) => readonly string[],
): string[] {
  return [...new Set(cases.flatMap(read))].sort();
}
