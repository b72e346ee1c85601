import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { JudgeSettings, querySides, TriggerGate, type Triggering } from "../../../contract/triggering.ts";
import { isMap } from "../../../shared/json/is-map.ts";
import { kindOfValue } from "../../../shared/json/kind-of-value.ts";
import { type UnknownKey, unknownKeys } from "../../../shared/json/unknown-keys.ts";
import { type MergedQueries, mergeQueries } from "./merge-queries.ts";
import { type EvalFile, readEvalFile } from "./read-eval-file.ts";
import type { ReadFile } from "./read-file.ts";
import { readImports } from "./read-imports.ts";
import { readQueries } from "./read-queries.ts";
import { readSettings } from "./read-settings.ts";
import { reportUnknownKeys } from "./report-unknown-keys.ts";

/** A `triggering` block, and what only those want to know who check it. */
export interface ReadTriggering extends Triggering {
  repeated: MergedQueries["repeated"];
  /** Whether every list and every import could be read; where not, it means nothing how many queries there are. */
  isWhole: boolean;
  evalFile: EvalFile;
}

/** Reads the `triggering` block of a skill's `eval.yaml`; null where there is none, or none that can be used. */
export async function readTriggering(
  skill: Pick<DescribedSkill, "id" | "aliases" | "name">,
  readFile: ReadFile,
  diagnostics: Diagnostics,
): Promise<ReadTriggering | null> {
  const evalFile = await readEvalFile(readFile, diagnostics);
  if (evalFile === null) return null;
  const { value, placeOf } = evalFile;
  const unknown = unknownKeys(value, knownKeys).map((key) => withMeant(key, value));
  const { triggering: block } = value;
  if (block === undefined) {
    // Nothing here is ours, unless the block's own name is misspelt.
    reportUnknownKeys(unknown.filter(isOurs), evalFile, diagnostics);
    return null;
  }
  reportUnknownKeys(unknown, evalFile, diagnostics);
  if (!isMap(block)) {
    diagnostics.add("TRG01", placeOf(["triggering"]), `triggering is ${kindOfValue(block)}`);
    return null;
  }
  const settings = readSettings(evalFile, diagnostics);
  const isMisnamed = unknown.some(({ meant }) => queryKeys.some((key) => key === meant));
  if (!queryKeys.some((key) => key in block)) {
    if (!isMisnamed) diagnostics.add("TRG02", placeOf(["triggering"]), "triggering has no queries");
    return null;
  }
  const sources = [
    ...querySides.map((side) => readQueries(side, evalFile, diagnostics)),
    ...readImports(block.import, { skill, readFile, evalFile, diagnostics }),
  ];
  return {
    ...mergeQueries(sources.flatMap(({ queries }) => queries)),
    ...settings,
    imports: Array.isArray(block.import) ? block.import.filter((path) => typeof path === "string") : [],
    isWhole: !isMisnamed && sources.every((source) => source.isWhole),
    evalFile,
  };
}

const queryKeys = [...querySides, "import"] as const;

const knownKeys = {
  $: ["defaults", "triggering", "tools", "cases"],
  "$.triggering": ["judge", "gate", ...queryKeys],
  "$.triggering.judge": Object.keys(JudgeSettings.shape),
  "$.triggering.gate": Object.keys(TriggerGate.shape),
};

/** Whoever writes lists of queries means our block, whatever it is called and wherever they stand. */
function withMeant(key: UnknownKey, value: Record<string, unknown>): UnknownKey {
  const [name, ...deeper] = key.steps;
  if (deeper.length > 0 || key.meant !== null) return key;
  if (querySides.some((side) => side === name)) return { ...key, meant: `triggering.${String(name)}` };
  const member = value[String(name)];
  const isBlock = isMap(member) && querySides.some((side) => side in member);
  return isBlock ? { ...key, meant: "triggering" } : key;
}

function isOurs({ steps, meant }: UnknownKey): boolean {
  return steps.length === 1 && meant !== null && /^triggering(?:\.|$)/.test(meant);
}
