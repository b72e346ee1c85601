import type * as z from "zod";
import type { Diagnostics } from "../../../contract/diagnostics.ts";
import { JudgeSettings, TriggerGate, type Triggering } from "../../../contract/triggering.ts";
import { isMap } from "../../../shared/json/is-map.ts";
import { kindOfValue } from "../../../shared/json/kind-of-value.ts";
import { zodProblems } from "../../../shared/json/zod-problem.ts";
import type { EvalFile } from "./read-eval-file.ts";

/** Reads what a block says besides its queries. What is not valid is told and left out. */
export function readSettings(
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
    const place = evalFile.placeOf(["triggering", key]);
    diagnostics.add("TRG06", place, `${key}: must be a map, not ${kindOfValue(given)}`, {
      hint: mapHints[key],
    });
    return {};
  }
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  for (const { steps, reason } of zodProblems(read.error, given))
    diagnostics.add(
      "TRG06",
      evalFile.placeOf(["triggering", key, ...steps]),
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

function defaultModel({ value: { defaults }, placeOf }: EvalFile, diagnostics: Diagnostics): string | null {
  if (!isMap(defaults) || defaults.model === undefined || defaults.model === null) return null;
  if (typeof defaults.model === "string" && defaults.model.trim() !== "") return defaults.model.trim();
  diagnostics.add("TRG06", placeOf(["defaults", "model"]), "defaults.model: must be a model id", {
    hint: "for example claude-haiku-4-5-20251001",
  });
  return null;
}
