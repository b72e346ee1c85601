import * as z from "zod";
import { AnyJson } from "../shared/json/json.ts";
import { Containment } from "./containment.ts";
import { GrantedAsk } from "./grant.ts";
import { NotLoaded } from "./not-loaded.ts";
import { VacuousExpectation } from "./probing.ts";
import { QuarantineEntry } from "./quarantine.ts";
import { CellResult, Counts } from "./result.ts";

const count = z.number().int().min(0);
const figure = z.number().nullable();

/** What an interval says: how the subject would do on other cases of this kind, or in a rerun of exactly these. */
const estimates = ["cases-like-these", "this-suite"] as const;

/** The bounds of a figure, what they say, and how they were found. */
export const Interval = z.object({
  lower: z.number(),
  upper: z.number(),
  level: z.literal(0.95),
  method: z.enum(["wilson-neff", "wilson", "order-statistics"]),
  estimates: z.enum(estimates),
  /** Cases with at least one valid trial, and those trials. */
  cases: count,
  trials: count,
  /** How many independent trials would say as much; null where the bounds do not come from one rate. */
  nEff: figure,
});
export type Interval = z.infer<typeof Interval>;

/** One figure of a subject. */
export const MetricReport = z.object({
  value: figure,
  interval: Interval.nullable(),
  /** Of a rate over trials: its bounds for a rerun of these cases; null where each was tried once. */
  thisSuite: Interval.nullable().optional(),
  /** Observations behind it; null where their number says nothing. */
  n: count.nullable(),
  better: z.enum(["up", "down"]),
});
export type MetricReport = z.infer<typeof MetricReport>;

/** The figures of the cases that have one tag. */
const TagReport = z.object({
  total: count,
  pass: count,
  completionRate: figure,
  interval: Interval.nullable(),
  partialScore: figure,
});

/** What is judged: a skill on a suite, per model and arm. */
export const SubjectReport = z.object({
  skillId: z.string().nullable(),
  skillVersion: z.string(),
  skillDigest: z.string(),
  suite: z.string(),
  level: z.string(),
  model: z.string().nullable(),
  arm: z.string().nullable(),
  /** Of the content of its cases: figures of other cases do not continue these. Left out where nobody recorded it. */
  casesDigest: z.string().optional(),
  /** The most trials that any of its cases has. */
  trials: count,
  /** Of cells that decide something. */
  counts: Counts,
  /** How much has no verdict, and the share that is accepted: of its cells, or of its cases where those are decided as a whole. */
  unknown: z.object({ count, of: count, maxShare: z.number() }).optional(),
  metrics: z.record(z.string(), MetricReport),
  byTag: z.record(z.string(), TagReport),
  details: z.record(z.string(), AnyJson),
  /** What of it is in quarantine: in no figure, no count and no gate. */
  quarantined: z.object({ cases: count, counts: Counts }).optional(),
  /** Who looks after it. */
  owner: z.string().optional(),
});
export type SubjectReport = z.infer<typeof SubjectReport>;

/** A rule on a figure, and what came of it. */
export const GateReport = z.object({
  /** Null: over all subjects of the level. */
  subject: SubjectReport.pick({ suite: true, skillId: true, model: true, arm: true }).nullable(),
  level: z.string(),
  metric: z.string(),
  on: z.enum(["point", "lower", "upper"]),
  op: z.enum([">=", "<="]),
  threshold: z.number(),
  value: figure,
  /** Null: no verdict, and an enforced gate then does not pass; or not enforced. */
  passed: z.boolean().nullable(),
  enforced: z.boolean(),
  /** With `--family-wise`: among how many gates on this figure it was corrected, and the p-value that decides instead of `value`. */
  familyWise: z.object({ verdicts: count, p: z.number() }).optional(),
});
export type GateReport = z.infer<typeof GateReport>;

/** What a case asked for: once per case, so that a reader of the report need not look for the suite. */
export const CaseReport = z.object({
  suite: z.string(),
  level: z.string(),
  /** The skill whose case it is; null where all subjects of the suite share it. */
  skillId: z.string().nullable(),
  id: z.string(),
  digest: z.string(),
  title: z.string().nullable(),
  /** Where one of the two is too long to repeat, its beginning as text. */
  input: AnyJson,
  expected: AnyJson,
  tags: z.array(z.string()).readonly(),
  weight: z.number(),
  isShortened: z.boolean(),
});
export type CaseReport = z.infer<typeof CaseReport>;

export const SuiteReport = z.object({
  id: z.string(),
  level: z.string(),
  version: z.string(),
  digest: z.string(),
  /** Number of cases. */
  cases: count,
});
export type SuiteReport = z.infer<typeof SuiteReport>;

/** An entry of the quarantine, and what it was about in this run. */
export const QuarantineReport = QuarantineEntry.extend({
  /** Cases of this run that it matches. */
  cases: count,
  /** Its last day is over: what it matches decides again. */
  isExpired: z.boolean(),
});
export type QuarantineReport = z.infer<typeof QuarantineReport>;

/** What was not tested, and why. */
export const SkippedReport = z.object({
  /** Null where it is tested at no level. */
  level: z.string().nullable(),
  suite: z.string().nullable(),
  skillId: z.string().nullable(),
  caseId: z.string().nullable(),
  reason: z.string(),
});
export type SkippedReport = z.infer<typeof SkippedReport>;

/** Where a run was made, as far as it decides how fast things are. Names neither the machine nor its owner. */
export const MachineReport = z.object({
  /** Of the facts below: only runs with the same one compare in speed. */
  fingerprint: z.string(),
  cpu: z.string(),
  cores: count,
  memoryGb: z.number(),
  platform: z.string(),
  arch: z.string(),
  node: z.string(),
});
export type MachineReport = z.infer<typeof MachineReport>;

/** How a run was made: what a reader must know to judge its figures, and to get them again. */
export const RunReport = z.object({
  id: z.string(),
  command: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  trials: count,
  concurrency: z.number(),
  seed: z.number(),
  /** Of suites, subjects and trials. */
  planDigest: z.string(),
  containment: Containment,
  store: z.string(),
  models: z.array(z.string()),
  agents: z.array(AnyJson),
  /** What files had asked for and a person granted. */
  grants: z.array(GrantedAsk),
  /** Expectations that wrong answers meet, and that were allowed all the same. */
  vacuousExpectations: z.array(VacuousExpectation),
  /** When the times of cells were recorded, a day or the first and the last one: `2026-11-01 to 2026-11-19`; null where they were measured. */
  timesRecorded: z.string().nullable(),
  /** How many verdicts were taken over from which earlier runs, since nothing had changed; and whether live models and remote skills were among them. */
  reused: z.object({ cells: count, runs: z.array(z.string()), isAll: z.boolean() }).optional(),
  /** Null in reports of programs that do not say. */
  machine: MachineReport.nullable(),
  git: AnyJson,
  /** The part of a run that this is; null for a whole one. */
  shard: z.object({ index: count, count }).nullable(),
  /** What else may explain a difference to another run, by what it is called. */
  conditions: z.record(z.string(), z.string().nullable()),
  /** Further options of the command. */
  settings: z.record(z.string(), AnyJson),
});
export type RunReport = z.infer<typeof RunReport>;

/** The document that every run ends with, without its cells: those are streamed. */
export const ReportDocument = z.object({
  schemaVersion: z.literal(2),
  tool: z.object({ name: z.literal("eval-skills"), version: z.string() }),
  run: RunReport,
  suites: z.array(SuiteReport),
  subjects: z.array(SubjectReport),
  gates: z.array(GateReport),
  cases: z.array(CaseReport),
  judges: z.array(AnyJson),
  skipped: z.array(SkippedReport),
  /** Left out where nothing is in quarantine. */
  quarantine: z.array(QuarantineReport).optional(),
  /** Skills of a folder that could not be loaded. */
  notLoaded: z.array(NotLoaded),
  passed: count,
  total: count,
  warnings: z.array(z.string()),
  files: z.array(z.string()),
  exitCode: z.literal([0, 1, 2, 3]),
});
export type ReportDocument = z.infer<typeof ReportDocument>;

/** The document as a file holds it. */
export const ReportFile = ReportDocument.extend({ cells: z.array(CellResult) });
export type ReportFile = z.infer<typeof ReportFile>;
