import type { Calibration } from "../../../contract/cache.ts";
import { bootstrap } from "../../../shared/statistics/bootstrap.ts";
import { cohensKappa, type Readings } from "../../../shared/statistics/cohens-kappa.ts";
import type { GoldLabel } from "./read-gold.ts";

/** What people said about a query, and what the judge did; null where it gave no usable answer. */
export interface LabelledAnswer {
  label: GoldLabel["label"];
  answer: "yes" | "no" | null;
}

export type CalibrationFigures = Pick<
  Calibration,
  "labels" | "unanswered" | "agreement" | "kappa" | "interval" | "seed"
>;

/** How far a judge agrees with people. Labels it did not answer are counted apart: they are neither right nor wrong. */
export function calibrationFigures(pairs: readonly LabelledAnswer[], seed: number): CalibrationFigures {
  const cells = pairs.flatMap(({ label, answer }) => (answer === null ? [] : [cellOf(label, answer)]));
  const readings = count(cells);
  const kappa = cohensKappa(readings);
  return {
    labels: pairs.length,
    unanswered: pairs.length - cells.length,
    agreement: cells.length === 0 ? null : (readings.bothYes + readings.bothNo) / cells.length,
    kappa,
    interval: kappa === null ? null : bootstrap(cells.length, (drawn) => kappaOf(drawn, cells), seed),
    seed,
  };
}

function cellOf(label: "yes" | "no", answer: "yes" | "no"): keyof Readings {
  if (label === answer) return label === "yes" ? "bothYes" : "bothNo";
  return label === "yes" ? "onlyFirst" : "onlySecond";
}

function count(cells: Iterable<keyof Readings>): Readings {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const cell of cells) readings[cell]++;
  return readings;
}

/** A resample of one class alone shows no agreement beyond chance: it counts as none, so that few labels of a class stay few. */
function kappaOf(drawn: Uint32Array, cells: readonly (keyof Readings)[]): number {
  const readings = { bothYes: 0, bothNo: 0, onlyFirst: 0, onlySecond: 0 };
  for (const place of drawn) readings[cells[place] as keyof Readings]++;
  return cohensKappa(readings) ?? 0;
}
