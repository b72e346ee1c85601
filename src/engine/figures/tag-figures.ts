import type { TagFigures } from "../../contract/figures.ts";
import { partialScore, type ScoredCells } from "./partial-score.ts";
import { rateFigure } from "./rate-figure.ts";

/** The figures of every tag's tasks, sorted by tag. A tag may be named `__proto__`; it stays a key like any other. */
export function figuresByTag(tags: TagTable, sources: ScoredCells): Record<string, TagFigures> {
  return Object.fromEntries(tags.tasksByTag().map(([tag, tasks]) => [tag, tagFigures(tasks, sources)]));
}

function tagFigures(tasks: readonly number[], sources: ScoredCells): TagFigures {
  const { counted, passed } = sources.tallies;
  const tallies = {
    passed: tasks.map((task) => passed[task] as number),
    trials: tasks.map((task) => counted[task] as number),
  };
  const { value, interval = null } = rateFigure(tallies);
  return {
    total: sumAt(counted, tasks),
    pass: sumAt(passed, tasks),
    completionRate: value,
    interval,
    partialScore: partialScore(sources, tasks).value,
  };
}

function sumAt(values: Uint32Array, indexes: readonly number[]): number {
  return indexes.reduce((sum, index) => sum + (values[index] as number), 0);
}

/** Which task has which tags. Tasks with the same tags share one list, so many tasks stay cheap. */
interface TagTable {
  set(task: number, tags: readonly string[]): void;
  /** Every tag with its tasks, tags and tasks in order. */
  tasksByTag(): [tag: string, tasks: number[]][];
}

export function tagTable(tasks: number): TagTable {
  const lists: string[][] = [[]];
  const listNumbers = new Map<string, number>();
  const listByTask = new Uint32Array(tasks);

  function findListNumber(tags: readonly string[]): number {
    if (tags.length === 0) return 0;
    const spelling = JSON.stringify(tags);
    const known = listNumbers.get(spelling);
    if (known !== undefined) return known;
    const number = lists.push([...new Set(tags)]) - 1;
    listNumbers.set(spelling, number);
    return number;
  }

  return {
    set(task, tags) {
      listByTask[task] = findListNumber(tags);
    },
    tasksByTag() {
      const found = new Map<string, number[]>();
      for (const [task, list] of listByTask.entries())
        for (const tag of lists[list] as string[]) {
          const tasksOfTag = found.get(tag);
          if (tasksOfTag === undefined) found.set(tag, [task]);
          else tasksOfTag.push(task);
        }
      return [...found].sort(([a], [b]) => (a < b ? -1 : 1));
    },
  };
}
