import type { SelfRouting, Steal } from "../contract/catalog-report.ts";
import type { QueryLine } from "../contract/trigger-report.ts";
import { countedShare } from "./counted-share.ts";
import type { RoutedAgain } from "./route-again.ts";

/** What becomes of the requests of each skill, the worst first. */
export function selfRouting(positives: readonly QueryLine[]): SelfRouting[] {
  return [...bySkill(positives)]
    .map(([skillId, lines]): SelfRouting => {
      const share = (isMeant: (line: QueryLine) => boolean) =>
        countedShare(lines.filter(isMeant).length, lines.length);
      return {
        skillId,
        queries: lines.length,
        top1: share((line) => (line.chosen === undefined ? line.yes > line.no : line.chosen === skillId)),
        selected: share(({ yes, no }) => yes > no),
        none: share(({ chosen }) => chosen === null),
      };
    })
    .sort(
      (a, b) =>
        (a.top1.rate ?? 0) - (b.top1.rate ?? 0) || b.queries - a.queries || inOrder(a.skillId, b.skillId),
    );
}

/** Who gets requests that are meant for another, the worst first. */
export function stealsIn(
  positives: readonly QueryLine[],
  { becauseOf }: Pick<RoutedAgain, "becauseOf">,
): Steal[] {
  const steals: Steal[] = [];
  for (const [from, lines] of bySkill(positives)) {
    const thieves = new Map<string, QueryLine[]>();
    for (const line of lines)
      if (typeof line.chosen === "string" && line.chosen !== from)
        thieves.set(line.chosen, [...(thieves.get(line.chosen) ?? []), line]);
    for (const [to, stolen] of thieves) {
      const queries = stolen.map((line) => ({
        queryId: line.queryId,
        query: line.query,
        because: becauseOf(line, to) ?? line.reason ?? "",
      }));
      steals.push({ from, to, share: countedShare(stolen.length, lines.length), queries });
    }
  }
  return steals.sort(
    (a, b) =>
      (b.share.rate ?? 0) - (a.share.rate ?? 0) ||
      b.share.count - a.share.count ||
      inOrder(a.from, b.from) ||
      inOrder(a.to, b.to),
  );
}

function bySkill(lines: readonly QueryLine[]): Map<string, QueryLine[]> {
  const skills = new Map<string, QueryLine[]>();
  for (const line of lines) {
    const known = skills.get(line.skillId);
    if (known === undefined) skills.set(line.skillId, [line]);
    else known.push(line);
  }
  return skills;
}

function inOrder(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
