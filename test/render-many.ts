// Renders a report whose cells are made while they are read: `node --expose-gc render-many.ts <cells> <level|all> <formats...>`.
// Prints a line for each format and level: how much the heap grew between a fifth of the cells and all of them, in any reading.

import { subjectName } from "../src/contract/cell.ts";
import type { CellReader } from "../src/contract/format.ts";
import { loadFormats } from "../src/report/formats/load-formats.ts";
import { levelMaterials } from "./level-materials.ts";
import { type LevelSample, levelSample, sampleView } from "./level-samples.ts";
import { manyCells } from "./sample-variants.ts";

/** What one rendering took. */
export interface Rendering {
  format: string;
  level: string;
  /** In bytes. */
  grown: number;
  /** Of the longest piece. */
  longestChars: number;
  ms: number;
}

const [cells = "", level = "", ...names] = process.argv.slice(2);

const formats = await loadFormats(names);

for (const one of levelMaterials.filter((other) => level === "all" || other.level.name === level)) {
  const many = manyCells(await levelSample(one.level), Number(cells));
  for (const format of formats) {
    const watched = watchedCells(many);
    const began = performance.now();
    let longestChars = 0;
    for (const piece of format.render(sampleView({ ...many, cells: watched.cells })))
      longestChars = Math.max(longestChars, piece.length);
    const ms = Math.round(performance.now() - began);
    const line = { format: format.format, level: one.level.name, grown: watched.grown(), longestChars, ms };
    process.stdout.write(`${JSON.stringify(line satisfies Rendering)}\n`);
  }
}

/**
 * Looks at the heap while cells are read: early, and when all are. Where subjects are read one by one, those of the first are enough:
 * collecting garbage takes longer than all else here.
 */
function watchedCells({ report, cells: made }: LevelSample): { cells: CellReader; grown(): number } {
  let grown = 0;
  const [first] = report.subjects;
  return {
    *cells(filter) {
      if (filter?.subject !== undefined && first !== undefined && filter.subject !== subjectName(first)) {
        yield* made(filter);
        return;
      }
      const count = filter?.subject === undefined ? report.total : report.total / report.subjects.length;
      const early = Math.floor(count / 5);
      let [read, heap] = [0, 0];
      for (const cell of made(filter)) {
        read++;
        if (read === early) heap = heapUsed();
        if (read === count) grown = Math.max(grown, heapUsed() - heap);
        yield cell;
      }
    },
    grown: () => grown,
  };
}

function heapUsed(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}
