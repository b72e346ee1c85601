import * as z from "zod";
import type { CalibratedJudge, Calibration } from "../contract/cache.ts";
import { judgeKinds } from "../contract/judge-kind.ts";
import type { ModelReply } from "../contract/model.ts";
import { Usage } from "../contract/outcome.ts";

const StoredReply = z.object({
  text: z.string(),
  finishReason: z.enum(["stop", "length", "content-filter", "other"]),
  usage: Usage.nullable(),
  latencyMs: z.number(),
});

const StoredCalibration = z.object({
  kind: z.enum(judgeKinds),
  model: z.string(),
  prompt: z.string(),
  labels: z.number(),
  unanswered: z.number(),
  agreement: z.number().nullable(),
  kappa: z.number().nullable(),
  interval: z.object({ lower: z.number(), upper: z.number() }).nullable(),
  goldSha256: z.string(),
  seed: z.number(),
  at: z.string(),
});

/** A reply as it was kept; null where the row is not one. */
export function storedReply(text: unknown): ModelReply | null {
  return parsed(text, StoredReply);
}

/** A calibration of this judge as it was kept; null where the row is not one. */
export function storedCalibration(text: unknown, judge: CalibratedJudge): Calibration | null {
  const found = parsed(text, StoredCalibration);
  const isIts = found?.kind === judge.kind && found.model === judge.model && found.prompt === judge.prompt;
  return isIts ? found : null;
}

function parsed<Value>(text: unknown, schema: z.ZodType<Value>): Value | null {
  try {
    return schema.parse(JSON.parse(String(text)));
  } catch {
    return null; // damaged: it is asked for anew
  }
}
