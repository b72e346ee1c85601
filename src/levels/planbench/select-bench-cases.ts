import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import type { WantsCase } from "../../engine/case-selection.ts";
import { didYouMean, spacesHint } from "../../shared/text/nearest.ts";
import { UserError } from "../../shared/user-error.ts";
import type { BenchPlan } from "./request.ts";

/** What chooses among the cases of a bench. */
type CaseSelection = Pick<BenchPlan, "cases" | "tags" | "host" | "route" | "limit">;

/** The selected cases, in the order of the bench. */
export function selectBenchCases(
  bench: LoadedBench,
  selection: CaseSelection,
  wants: WantsCase = () => true,
): LoadedBenchCase[] {
  const known = bench.cases.map(({ id }) => id);
  for (const id of selection.cases)
    if (!known.includes(id))
      throw new UserError("usage", `case not found in bench ${bench.file.id}: ${id}`, {
        hint: spacesHint(id, (part) => known.includes(part)) ?? didYouMean(id, known),
      });
  const { tags, host, route } = selection;
  const owner = bench.file.id;
  const isWanted = (one: LoadedBenchCase) =>
    wants({ level: "planbench", id: one.id, tags: one.tags, owner }) &&
    (selection.cases.length === 0 || selection.cases.includes(one.id)) &&
    (tags.length === 0 || one.tags.some((tag) => tags.includes(tag))) &&
    (host === null || one.host === host) &&
    (route === "all" || one.stratum === (route === "auto" ? "routed" : "forced"));
  const selected = bench.cases.filter(isWanted).slice(0, selection.limit ?? undefined);
  if (selected.length > 0) return selected;
  throw noCaseError(bench, selection);
}

/** Whether all cases are selected: a part of a bench says nothing about the whole. */
export function asksForAll({ cases, tags, host, route, limit }: CaseSelection): boolean {
  return cases.length === 0 && tags.length === 0 && host === null && route === "all" && limit === null;
}

function noCaseError({ cases, file }: LoadedBench, { tags, host }: CaseSelection): UserError {
  const words = `no matching case in bench ${file.id}`;
  const tag = tags.find((one) => !cases.some((known) => known.tags.includes(one)));
  if (tag !== undefined)
    return noMatchError(
      `${words}: none has the tag ${tag}`,
      tag,
      distinctSorted(cases, (c) => c.tags),
    );
  const hosts = distinctSorted(cases, (one) => (one.host === undefined ? [] : [one.host]));
  if (host !== null && !hosts.includes(host))
    return noMatchError(`${words}: none is for ${host}`, host, hosts);
  return new UserError("nothing-to-do", `${words} by --case, --tag, --only-host and --route together`);
}

function noMatchError(words: string, name: string, known: readonly string[]): UserError {
  return new UserError("nothing-to-do", words, {
    hint: known.length === 0 ? undefined : didYouMean(name, known),
  });
}

function distinctSorted(
  cases: readonly LoadedBenchCase[],
  read: (one: LoadedBenchCase) => readonly string[],
): string[] {
  return [...new Set(cases.flatMap(read))].sort();
}
