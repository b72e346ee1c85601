import type { ComparedSide } from "./compared-side.ts";

export interface PairedSides {
  pairs: { a: ComparedSide; b: ComparedSide }[];
  added: ComparedSide[];
  removed: ComparedSide[];
}

/**
 * Pairs the subjects of two reports by level, suite, skill, model and arm. One skill alone on each side pairs under any
 * id: it was renamed. Where each report has exactly one model, the two pair even if they differ.
 */
export function pairSides(a: readonly ComparedSide[], b: readonly ComparedSide[]): PairedSides {
  const levels = new Set([...a, ...b].map(({ level }) => level.name));
  const paired: PairedSides = { pairs: [], added: [], removed: [] };
  for (const level of levels) {
    const isOfLevel = (side: ComparedSide) => side.level.name === level;
    const { pairs, added, removed } = pairLevel(a.filter(isOfLevel), b.filter(isOfLevel));
    paired.pairs.push(...pairs);
    paired.added.push(...added);
    paired.removed.push(...removed);
  }
  return paired;
}

function pairLevel(a: readonly ComparedSide[], b: readonly ComparedSide[]): PairedSides {
  const [onlyA, onlyB] = [a[0], b[0]];
  if (
    a.length === 1 &&
    b.length === 1 &&
    onlyA !== undefined &&
    onlyB !== undefined &&
    isSameSuite(onlyA, onlyB)
  )
    return { pairs: [{ a: onlyA, b: onlyB }], added: [], removed: [] };
  const hasOneModel = haveOneModel(a, b);
  const hasOneReal = haveOneModel(a.filter(isReal), b.filter(isReal));
  const sideKey = (side: ComparedSide) => {
    const { suite, skillId, model, arm } = side.subject;
    // A skill keeps its identity under another judge; next to a real model, a script pairs only with a script.
    const isAnyModel = skillId !== null || (hasModel(side) && (hasOneModel || (hasOneReal && isReal(side))));
    return JSON.stringify([suite, skillId, isAnyModel ? "any" : model, arm]);
  };
  const before = new Map(a.map((side) => [sideKey(side), side]));
  const after = new Set(b.map(sideKey));
  return {
    pairs: b.flatMap((side) => {
      const earlier = before.get(sideKey(side));
      return earlier === undefined ? [] : [{ a: earlier, b: side }];
    }),
    added: b.filter((side) => !before.has(sideKey(side))),
    removed: a.filter((side) => !after.has(sideKey(side))),
  };
}

/** Cases of another arm are different cases: in a bench, those of another stratum. */
function isSameSuite(a: ComparedSide, b: ComparedSide): boolean {
  return a.subject.suite === b.subject.suite && a.subject.arm === b.subject.arm;
}

/** Whether both sides have exactly one model. */
function haveOneModel(...sides: (readonly ComparedSide[])[]): boolean {
  return sides.every((side) => new Set(side.filter(hasModel).map(({ subject }) => subject.model)).size === 1);
}

/** Whether a model or a script answered, and not the case itself. */
function hasModel({ subject: { model } }: ComparedSide): boolean {
  return model !== null && model !== "none";
}

function isReal({ isScripted }: ComparedSide): boolean {
  return !isScripted;
}
