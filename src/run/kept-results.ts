import { parseCell } from "../contract/report.ts";
import type { CellResult } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import type { LoadedSkill } from "../skills/targets/load-skills.ts";

/** The verdicts an earlier part of a run left in the store. A cell without one is run again and tells its own result. */
export function* keptResults(
  store: Store,
  runId: string,
  skills: readonly LoadedSkill[],
): Iterable<CellResult> {
  for (const { skill } of skills) {
    for (const text of store.results(runId, skill.id)) {
      const result = parseCell(text);
      if (result.status !== "invalid") yield result;
    }
  }
}
