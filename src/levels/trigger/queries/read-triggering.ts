import type * as z from "zod";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../../contract/skill.ts";
import { JudgeSettings, querySides, TriggerGate, type Triggering } from "../../../contract/triggering.ts";
import { isMap, kindOfValue } from "../../../shared/json/json-values.ts";
import { type UnknownKey, unknownKeys } from "../../../shared/json/known-keys.ts";
import { zodProblems } from "../../../shared/json/zod-problem.ts";
import { type MergedQueries, mergeQueries } from "./make-query.ts";
import { type EvalFile, type ReadFile, readEvalFile, reportUnknownKeys } from "./read-eval-file.ts";
import { readImports } from "./read-imports.ts";
import { readQueries } from "./read-queries.ts";

/** A `triggering` block, with what is needed to check it. */
export interface ReadTriggering extends Triggering {
  repeated: MergedQueries["repeated"];
  /** Whether every list and every import could be read; if not, the number of queries means nothing. */
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
  const { value, locate } = evalFile;
  const unknown = unknownKeys(value, knownKeys).map((key) => withMeant(key, value));
  const { triggering: block } = value;
  if (block === undefined) {
    // Nothing here is ours, unless the block's own name is misspelt.
    reportUnknownKeys(unknown.filter(isOurs), evalFile, diagnostics);
    return null;
  }
  reportUnknownKeys(unknown, evalFile, diagnostics);
  if (!isMap(block)) {
    diagnostics.add("TRG01", locate(["triggering"]), `triggering is ${kindOfValue(block)}`);
    return null;
  }
  const settings = readSettings(evalFile, diagnostics);
  const isMisnamed = unknown.some(({ meant }) => queryKeys.some((key) => key === meant));
  if (!queryKeys.some((key) => key in block)) {
    if (!isMisnamed) diagnostics.add("TRG02", locate(["triggering"]), "triggering has no queries");
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

/** Lists of queries are meant for our block, whatever their parent is called. */
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

/** Reads the settings of a block. Invalid ones are reported and left out. */
function readSettings(
  evalFile: EvalFile,
  diagnostics: Diagnostics,
): Pick<Triggering, "judge" | "gate" | "defaultModel"> {
  return {
    judge: readMap("judge", JudgeSettings, evalFile, diagnostics),
    gate: readMap("gate", TriggerGate, evalFile, diagnostics),
    defaultModel: defaultModel(evalFile, diagnostics),
  };
}

function readMap<Shape extends z.ZodRawShape>(
  key: "judge" | "gate",
  schema: z.ZodObject<Shape>,
  evalFile: EvalFile,
  diagnostics: Diagnostics,
): Partial<z.infer<z.ZodObject<Shape>>> {
  const given = (evalFile.value.triggering as Record<string, unknown>)[key];
  if (given === undefined || given === null) return {};
  if (!isMap(given)) {
    const location = evalFile.locate(["triggering", key]);
    diagnostics.add("TRG06", location, `${key}: must be a map, not ${kindOfValue(given)}`, {
      hint: mapHints[key],
    });
    return {};
  }
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  for (const { steps, reason } of zodProblems(read.error, given))
    diagnostics.add(
      "TRG06",
      evalFile.locate(["triggering", key, ...steps]),
      `${[key, ...steps].join(".")}: ${reason}`,
      { hint: settingHints[key] },
    );
  return {};
}

const mapHints = {
  judge: "for example { kind: router }",
  gate: "for example { recall: 0.9 }",
};

const settingHints = {
  judge: undefined, // the rule's own
  gate: "recall and precision from 0 to 1",
};

function defaultModel({ value: { defaults }, locate }: EvalFile, diagnostics: Diagnostics): string | null {
  if (!isMap(defaults) || defaults.model === undefined || defaults.model === null) return null;
  if (typeof defaults.model === "string" && defaults.model.trim() !== "") return defaults.model.trim();
  diagnostics.add("TRG06", locate(["defaults", "model"]), "defaults.model: must be a model id", {
    hint: "for example claude-haiku-4-5-20251001",
  });
  return null;
}
