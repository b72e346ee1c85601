import type { QueryLine } from "../../../contract/trigger-report.ts";
import { groupedBy, inOrder } from "../../../shared/text/sort-and-group.ts";
import { countedShare, type SelfRouting, type Steal } from "./catalog-report.ts";
import { isChoice } from "./query-meaning.ts";

/** Whether the skill of a query was among the chosen, where that is known. */
interface Selections {
  isSelected(line: QueryLine): boolean | null | undefined;
}

/** Why a skill was chosen for a query, where that is known. */
interface Reasons {
  explainChoice(line: QueryLine, skillId: string): string | null;
}

/** Where the requests of each skill go, the worst first. */
export function selfRouting(positives: readonly QueryLine[], { isSelected }: Selections): SelfRouting[] {
  return [...groupedBy(positives, ({ skillId }) => skillId)]
    .map(([skillId, lines]): SelfRouting => {
      const share = (isMeant: (line: QueryLine) => boolean) =>
        countedShare(lines.filter(isMeant).length, lines.length);
      const isChosen = lines.every(isChoice);
      return {
        skillId,
        queries: lines.length,
        top1: isChosen ? share(({ chosen }) => chosen === skillId) : null,
        selected: share((line) => isSelected(line) ?? line.yes > line.no),
        none: isChosen ? share(({ chosen }) => chosen === null) : null,
      };
    })
    .sort(
      (a, b) =>
        routingRate(a) - routingRate(b) ||
        (a.selected.rate ?? 0) - (b.selected.rate ?? 0) ||
        b.queries - a.queries ||
        inOrder(a.skillId, b.skillId),
    );
}

/** Who gets requests that are meant for another, the worst first. */
export function stealsIn(positives: readonly QueryLine[], { explainChoice }: Reasons): Steal[] {
  const steals: Steal[] = [];
  for (const [from, lines] of groupedBy(positives, ({ skillId }) => skillId)) {
    const thieves = groupedBy(lines, ({ chosen }) => chosen);
    for (const [to, stolen] of thieves) {
      if (typeof to !== "string" || to === from) continue;
      const queries = stolen.map((line) => ({
        queryId: line.queryId,
        query: line.query,
        because: explainChoice(line, to) ?? line.reason ?? "",
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

function routingRate({ top1, selected }: SelfRouting): number {
  return (top1 ?? selected).rate ?? 0;
}
