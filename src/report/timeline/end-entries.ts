import type { EventData } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { type RunRecount, recount } from "../../contract/agent-recount.ts";
import { counted, grouped, usd } from "../text/format-numbers.ts";
import { line, quote, type RunEntry } from "./event-entries.ts";

/** How many lines of an answer are shown. */
export const maxAnswer = 200;

/** How a run ended, and its answer. */
export function endEntries(
  { status, stop_reason, budget, degraded, usage, mock }: EventData<"run_finished">,
  { final, events }: Pick<RecordedRun, "final" | "events">,
  after: string,
): RunEntry[] {
  const why = [stop_reason, budget].filter((word) => word != null).join(", ");
  const isFallback = degraded === true;
  const tone = status === "completed" ? "good" : status === "failed" ? "bad" : "warn";
  const answer: RunEntry[] =
    final === null
      ? []
      : [
          { kind: "heading", label: "answer", text: isFallback ? "Fallback answer" : "Answer" },
          quote(isFallback ? "fallback answer" : "answer", final, maxAnswer),
        ];
  const details = [countWords(recount(events)), usageWords(usage)].filter((words) => words !== "");
  return [
    ...answer,
    { kind: "heading", label: "end", text: "End", aside: after },
    line("end", why === "" ? status : `${status}: ${why}`, tone),
    ...details.map((text): RunEntry => ({ ...line("end", text), sign: " ", isDetail: true })),
    ...(mock === undefined || mock.unused === 0
      ? []
      : [line("end", `${counted(mock.unused, "scripted turn")} not used`, "warn")]),
  ];
}

function countWords(counts: RunRecount): string {
  return [
    counted(counts.turns, "turn"),
    counted(counts.model_calls, "model call"),
    counted(counts.tool_calls, "tool call"),
    counted(counts.script_runs, "script"),
    counted(counts.resource_loads, "resource"),
    ...(counts.context_chars === null
      ? []
      : [`at most ${grouped(counts.context_chars)} characters per request`]),
  ].join(" · ");
}

function usageWords({ input_tokens, output_tokens, cost_usd }: EventData<"run_finished">["usage"]): string {
  return [
    typeof input_tokens === "number" ? `${grouped(input_tokens)} tokens in` : "",
    typeof output_tokens === "number" ? `${grouped(output_tokens)} out` : "",
    typeof cost_usd === "number" ? usd(cost_usd) : "",
  ]
    .filter((word) => word !== "")
    .join(" · ");
}
