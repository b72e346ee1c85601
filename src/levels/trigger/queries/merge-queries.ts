import type { TriggerQuery } from "../../../contract/triggering.ts";
import { foldQuery } from "./fold-query.ts";

export interface MergedQueries {
  queries: TriggerQuery[];
  /** What stands on the same side twice: the one that was kept, and the one that was not. */
  repeated: { kept: TriggerQuery; dropped: TriggerQuery }[];
}

/** Keeps each text once per side: the first that says it. */
export function mergeQueries(all: readonly TriggerQuery[]): MergedQueries {
  const byText = new Map<string, TriggerQuery>();
  const repeated: MergedQueries["repeated"] = [];
  for (const query of all) {
    const key = `${query.side} ${foldQuery(query.text)}`;
    const kept = byText.get(key);
    if (kept === undefined) byText.set(key, query);
    else repeated.push({ kept, dropped: query });
  }
  return { queries: [...byText.values()], repeated };
}
