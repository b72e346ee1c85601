import * as z from "zod";
import type { Json, JsonObject } from "../shared/json/json.ts";
import { caseLevels } from "./agent-case.ts";
import { CaseReport } from "./agent-report.ts";
import type { ConversationRecord } from "./conversation.ts";
import type { PromisedOutput } from "./output-contract.ts";
import type { CellResult } from "./result.ts";

const count = z.number().int().min(0);

/** Something that happened in a run, as much of it as a report has room for; `line` is that of the log, 0 where none shows it. */
export const RunEvent = z.object({
  /** Since the beginning; null where the log does not say. */
  atMs: z.number().nullable(),
  /** Who or what: `user`, `model`, `tool read_file`. */
  label: z.string(),
  text: z.string(),
  tone: z.enum(["good", "bad", "warn", "muted"]).optional(),
  /** Arguments, output. */
  quote: z.string().optional(),
  /** Characters of it that are left out. */
  cut: count.optional(),
  line: count,
});
export type RunEvent = z.infer<typeof RunEvent>;

/** What the cell of an agent case or a conversation stores of its own: what the grader says, in the names of the report. */
export const AgentDetails = z.object({
  /** Who decides: a pure function (L0), a script (L1) or a model (L2). */
  caseClass: z.enum(caseLevels),
  runId: z.string().nullable(),
  /** The run directory, relative to the folder of the command; null where there is none. */
  runDir: z.string().nullable(),
  noVerdict: CaseReport.shape.no_verdict,
  scores: CaseReport.shape.scores,
  failures: CaseReport.shape.failures,
  notExercised: z.array(z.string()),
  stats: z.object({
    turns: count,
    toolCalls: count,
    scriptRuns: count,
    resourceLoads: count,
    modelCalls: count,
    stopReason: z.string().nullable(),
    degraded: z.boolean().nullable(),
    isolation: z.string().nullable(),
  }),
  tallies: z.object({
    turns: count,
    firstPass: count,
    extracted: count,
    finalValid: count,
    retryTokens: z.number(),
    tokens: z.number(),
    unknownUsage: count,
    inputTokens: z.number(),
    outputTokens: z.number(),
    costUsd: z.number().nullable(),
    trigger: z.object({ selectedExpected: count, selected: count, hits: count, required: count }).nullable(),
  }),
  quotes: CaseReport.shape.quotes,
  /** Only of a conversation. */
  protocolAfterCorrection: z.boolean().nullable().optional(),
  /** Only of a run of an agent: what happened in it, within bounds. Reports cannot open its directory. */
  timeline: z.array(RunEvent).optional(),
  grader: z.string(),
});
export type AgentDetails = z.infer<typeof AgentDetails>;

/** What the run of an agent leaves as the output of its cell. */
export interface AgentEvidence {
  /** Absolute. */
  runDir: string;
  /** `sha256:…` of its log, which in turn names the digests of the texts beside it. */
  log: string;
}

/** What a pure function gave: once, or once for each way of cutting its input. */
export type PureEvidence =
  | { actual: readonly JsonObject[] }
  | { noVerdict: { code: string; message: string } };

/** What a conversation leaves as the output of its cell. */
export interface ConversationEvidence {
  record: ConversationRecord;
  /** What its skills promised about their output; null where nothing was, or where nobody asks. */
  contract: PromisedOutput | null;
  /** Other names of skills that the case uses → their ids. */
  aliases: Readonly<Record<string, string>>;
}

/** What a grader says about a run, as a cell stores it. */
export function agentDetails(
  report: CaseReport,
  runDir: string | null,
  timeline: readonly RunEvent[] = [],
): AgentDetails {
  const { stats, protocol_after_correction } = report;
  return {
    caseClass: report.level,
    runId: report.run_id,
    runDir,
    noVerdict: report.no_verdict,
    scores: report.scores,
    failures: report.failures,
    notExercised: report.not_exercised,
    stats: {
      turns: stats.turns,
      toolCalls: stats.tool_calls,
      scriptRuns: stats.script_runs,
      resourceLoads: stats.resource_loads,
      modelCalls: stats.model_calls,
      stopReason: stats.stop_reason,
      degraded: stats.degraded,
      isolation: stats.isolation,
    },
    tallies: storedTallies(report.tallies),
    quotes: report.quotes,
    ...(protocol_after_correction !== undefined && { protocolAfterCorrection: protocol_after_correction }),
    ...(timeline.length > 0 && { timeline: [...timeline] }),
    grader: report.grader,
  };
}

function storedTallies({ trigger, ...tallies }: CaseReport["tallies"]): AgentDetails["tallies"] {
  return {
    turns: tallies.turns,
    firstPass: tallies.first_pass,
    extracted: tallies.extracted,
    finalValid: tallies.final_valid,
    retryTokens: tallies.retry_tokens,
    tokens: tallies.tokens,
    unknownUsage: tallies.unknown_usage,
    inputTokens: tallies.input_tokens,
    outputTokens: tallies.output_tokens,
    costUsd: tallies.cost_usd,
    trigger: trigger && {
      selectedExpected: trigger.selected_expected,
      selected: trigger.selected,
      hits: trigger.hits,
      required: trigger.required,
    },
  };
}

/** The report of the grader, made again from a stored cell. */
export function toCaseReport(cell: CellResult): CaseReport {
  const details = detailsIn(cell);
  const { stats, protocolAfterCorrection, noVerdict } = details;
  const status = cell.status === "pass" || cell.status === "fail" ? cell.status : "invalid";
  const record = recordIn(cell);
  return {
    suite: cell.suite,
    case_id: cell.caseId,
    run_id: details.runId,
    level: details.caseClass,
    trial: cell.trial,
    model: cell.model ?? "none",
    status,
    pass: status === "invalid" ? null : status === "pass",
    no_verdict:
      status !== "invalid" ? null : (noVerdict ?? { code: cell.cause ?? "", message: cell.reason ?? "" }),
    scores: details.scores,
    failures: details.failures,
    not_exercised: details.notExercised,
    warnings: [...cell.warnings],
    stats: {
      turns: stats.turns,
      tool_calls: stats.toolCalls,
      script_runs: stats.scriptRuns,
      resource_loads: stats.resourceLoads,
      model_calls: stats.modelCalls,
      stop_reason: stats.stopReason,
      degraded: stats.degraded,
      isolation: stats.isolation,
    },
    tallies: gradedTallies(details.tallies),
    quotes: details.quotes,
    ...(record !== null && { conversation: record }),
    ...(protocolAfterCorrection !== undefined && { protocol_after_correction: protocolAfterCorrection }),
    grader: details.grader,
  };
}

function gradedTallies({ trigger, ...tallies }: AgentDetails["tallies"]): CaseReport["tallies"] {
  return {
    turns: tallies.turns,
    first_pass: tallies.firstPass,
    extracted: tallies.extracted,
    final_valid: tallies.finalValid,
    retry_tokens: tallies.retryTokens,
    tokens: tallies.tokens,
    unknown_usage: tallies.unknownUsage,
    input_tokens: tallies.inputTokens,
    output_tokens: tallies.outputTokens,
    cost_usd: tallies.costUsd,
    trigger: trigger && {
      selected_expected: trigger.selectedExpected,
      selected: trigger.selected,
      hits: trigger.hits,
      required: trigger.required,
    },
  };
}

/** The details of a stored cell of one of these levels. */
export function detailsIn({ details }: Pick<CellResult, "details">): AgentDetails {
  return details as unknown as AgentDetails;
}

/** The conversation that a cell stores; null where it holds none. */
export function recordIn({ level, output }: Pick<CellResult, "level" | "output">): ConversationRecord | null {
  if (level !== "conversation" || output === null) return null;
  const { record } = output as unknown as Partial<ConversationEvidence>;
  // A foreign report may hold anything here.
  return record !== undefined && Array.isArray(record?.turns) ? record : null;
}

/** Details and evidence are JSON; members that may be left out keep their types from saying so. */
export function asJson(value: AgentDetails | ConversationEvidence | PureEvidence): JsonObject {
  return value as unknown as JsonObject & Json;
}
