import type { SkillReport } from "../contract/report.ts";

export interface PairedSkills<Report> {
  pairs: { a: Report; b: Report }[];
  added: Report[];
  removed: Report[];
}

type Named = Pick<SkillReport, "skillId" | "benchmarkId">;

/** Pairs the skills of two reports by id and benchmark. One skill alone on each side pairs under any id: it was renamed. */
export function pairSkills<Report extends Named>(
  a: readonly Report[],
  b: readonly Report[],
): PairedSkills<Report> {
  const [onlyA, onlyB] = [a[0], b[0]];
  const isRenamed = a.length === 1 && b.length === 1 && onlyA?.benchmarkId === onlyB?.benchmarkId;
  if (isRenamed && onlyA !== undefined && onlyB !== undefined)
    return { pairs: [{ a: onlyA, b: onlyB }], added: [], removed: [] };
  const before = new Map(a.map((report) => [keyOf(report), report]));
  const after = new Set(b.map(keyOf));
  return {
    pairs: b.flatMap((report) => {
      const earlier = before.get(keyOf(report));
      return earlier === undefined ? [] : [{ a: earlier, b: report }];
    }),
    added: b.filter((report) => !before.has(keyOf(report))),
    removed: a.filter((report) => !after.has(keyOf(report))),
  };
}

function keyOf({ skillId, benchmarkId }: Named): string {
  return JSON.stringify([skillId, benchmarkId]);
}
