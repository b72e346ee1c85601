import * as z from "zod";
import { causeCodes } from "./cause.ts";
import { ContainmentStamp } from "./containment.ts";
import { AnyJson } from "./json.ts";
import { Usage } from "./outcome.ts";
import { Attempt, JudgeRecord, NetworkAttempt } from "./result.ts";
import { scorerTypes } from "./scorer-type.ts";
import { verdicts } from "./verdict.ts";

const cause = z.enum(causeCodes);

/** The cell of a task as the writers of Markdown, HTML and the like read it: the `taskResults` element of their report. */
export const TaskResult = z.object({
  taskId: z.string(),
  skillId: z.string(),
  trial: z.number().int(),
  taskDigest: z.string(),
  cellKey: z.string(),
  status: z.enum(verdicts),
  score: z.number().nullable(),
  latencyMs: z.number(),
  /** `trigger` for a query: its output is the list of judgments. `agent` for a case: what the grader says. `planbench`: the sample. */
  scorerType: z.enum([...scorerTypes, "trigger", "agent", "planbench"]),
  reason: z.string().nullable(),
  output: AnyJson,
  outputTruncated: z.boolean(),
  outputBytes: z.number(),
  /** Only where the output was cut or could not be decoded. */
  outputSha256: z.string().optional(),
  error: z.object({ code: cause, message: z.string() }).nullable(),
  usage: Usage.nullable(),
  judge: JudgeRecord.nullable(),
  weight: z.number(),
  tags: z.array(z.string()).readonly(),
  attempts: z.array(Attempt).readonly(),
  /** Only where there is something to say. */
  startupMs: z.number().optional(),
  warnings: z.array(z.string()).readonly().optional(),
  stderrTail: z.string().optional(),
  stray: z.array(z.string()).readonly().optional(),
  rawBase64: z.string().optional(),
  /** How the skill was contained when this came out; null for one that runs elsewhere, absent in reports of earlier versions. */
  containment: ContainmentStamp.nullable().optional(),
  /** What it tried to reach through the proxy of an allow-list. */
  network: z.array(NetworkAttempt).readonly().optional(),
  /** Wall-clock begin of the deciding attempt, epoch milliseconds: tells which cells ran beside each other. */
  beganAtMs: z.number(),
  finishedAt: z.string(),
});
export type TaskResult = z.infer<typeof TaskResult>;
