import type { TagFigures } from "../../contract/figures.ts";
import { partialScore, type ScoredCells, taskScores } from "./partial-score.ts";
import { rate } from "./summary-figures.ts";
import type { TagTable } from "./tag-table.ts";

/** The figures of every tag's tasks, sorted by tag. A tag may be named `__proto__`; it stays a key like any other. */
export function figuresByTag(tags: TagTable, sources: ScoredCells): Record<string, TagFigures> {
  return Object.fromEntries(tags.tasksByTag().map(([tag, tasks]) => [tag, figuresOf(tasks, sources)]));
}

function figuresOf(tasks: readonly number[], sources: ScoredCells): TagFigures {
  const { counted, passed } = sources.tallies;
  const total = sumAt(counted, tasks);
  const pass = sumAt(passed, tasks);
  return {
    total,
    pass,
    completionRate: rate(pass, total),
    partialScore: partialScore(taskScores(sources, tasks)),
  };
}

function sumAt(values: Uint32Array, places: readonly number[]): number {
  return places.reduce((sum, place) => sum + (values[place] as number), 0);
}
