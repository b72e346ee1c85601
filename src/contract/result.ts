import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { causeCodes } from "./cause.ts";
import { ContainmentStamp } from "./containment.ts";
import { Usage } from "./outcome.ts";
import { Quarantined } from "./quarantine.ts";

const count = z.number().int().min(0);

/** The status of a stored cell. Nothing else is ever stored. */
export const verdicts = ["pass", "fail", "error", "timeout", "invalid"] as const;
export type Verdict = (typeof verdicts)[number];

/** How many cells ended each way; `total` leaves out the invalid ones, which count nowhere. */
export const Counts = z.object({
  total: count,
  pass: count,
  fail: count,
  error: count,
  timeout: count,
  invalid: count,
});
export type Counts = z.infer<typeof Counts>;

const cause = z.enum(causeCodes);

/** One try of a skill process to reach a host through the proxy of an allow-list. */
const NetworkAttempt = z.object({
  host: z.string(),
  port: z.number().int(),
  allowed: z.boolean(),
  reason: z.string().nullable(),
});

/** One try at a cell. */
export const Attempt = z.object({
  n: z.number().int(),
  /** `interrupted`: it began, and the runner was stopped before it ended. */
  status: z.enum(["answered", "interrupted", "error", "timeout", "invalid"]),
  code: cause.nullable(),
  /** Null where a replay gives no time. */
  latencyMs: z.number().nullable(),
  message: z.string().nullable(),
  /** Only where known: the HTTP status, JSON-RPC code or exit code that came with an error. */
  statusCode: z.number().optional(),
  /** Only where the code alone does not say it: whether another attempt is pointless. */
  isFinal: z.boolean().optional(),
  /** `false`: we found the fault, the skill did not report it. */
  isReported: z.boolean().optional(),
});
export type Attempt = z.infer<typeof Attempt>;

/** What asking a judge took, apart from the skill's own time and tokens. */
export const JudgeRecord = z.object({
  model: z.string(),
  /** Questions put, unusable replies included. */
  calls: z.number().int(),
  latencyMs: z.number(),
  usage: Usage.nullable(),
  /** Why its verdict should not be used; only where the user wanted it all the same. */
  problem: z.string().optional(),
});
export type JudgeRecord = z.infer<typeof JudgeRecord>;

/** Everything stored of a cell that ended, at every level: an element of `cells` in a report. */
export const CellResult = z.object({
  key: z.string(),
  level: z.string(),
  suite: z.string(),
  /** Null where a suite tests a model with all skills it was given. */
  skillId: z.string().nullable(),
  caseId: z.string(),
  caseDigest: z.string(),
  /** From 1. */
  trial: z.number().int(),
  model: z.string().nullable(),
  arm: z.string().nullable(),
  status: z.enum(verdicts),
  score: z.number().nullable(),
  /** Why there is no score, or no answer; null where an answer was scored. */
  cause: cause.nullable(),
  /** What the scorer says about the answer, or what went wrong. */
  reason: z.string().nullable(),
  /** Null where a replay gives no time. */
  latencyMs: z.number().nullable(),
  /** When the times were recorded, where they come from recordings; null where those do not say. */
  recordedAt: z.string().nullable().optional(),
  usage: Usage.nullable(),
  costUsd: z.number().nullable(),
  judge: JudgeRecord.nullable(),
  /** How the skill was contained when this came out; null where nothing of it ran on this machine. */
  containment: ContainmentStamp.nullable(),
  attempts: z.array(Attempt).readonly(),
  output: AnyJson,
  outputTruncated: z.boolean(),
  outputBytes: z.number(),
  /** Only where the output was cut or could not be decoded. */
  outputSha256: z.string().optional(),
  rawBase64: z.string().optional(),
  warnings: z.array(z.string()).readonly(),
  /** Only where there is something to say. */
  startupMs: z.number().optional(),
  stderrTail: z.string().optional(),
  stray: z.array(z.string()).readonly().optional(),
  /** What it tried to reach through the proxy of an allow-list. */
  network: z.array(NetworkAttempt).readonly().optional(),
  /** The run that executed it, where its verdict was taken over from there. */
  reusedFrom: z.string().optional(),
  /** Only where that verdict may come out otherwise although nothing changed: a live model, a remote skill, the network. */
  isReusedOpen: z.literal(true).optional(),
  /** Wall-clock begin of the deciding attempt, epoch milliseconds: shows which cells ran at the same time. */
  beganAtMs: z.number(),
  finishedAt: z.string(),
  /** What only this level records, by its own schema. */
  details: AnyJson,
  /** Only in reports: why it decides nothing. */
  quarantine: Quarantined.optional(),
});
export type CellResult = z.infer<typeof CellResult>;

/** A stored cell, read back. */
export function parseCell(text: string): CellResult {
  return JSON.parse(text) as CellResult;
}
