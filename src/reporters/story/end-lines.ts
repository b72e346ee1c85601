import type { EventData } from "../../contract/agent-event.ts";
import type { RunRecount } from "../../contract/agent-recount.ts";
import { counted, grouped, usd } from "../format-numbers.ts";
import type { StoryPage } from "./story-page.ts";

const linesOfAnswer = 200;

/** The answer, and how the run ended. */
export function endLines(
  data: EventData<"run_finished">,
  { final, counts, after }: { final: string | null; counts: RunRecount; after: string },
  page: StoryPage,
): string[] {
  const { status, stop_reason, budget, degraded, usage, mock } = data;
  const { paint } = page;
  const tone = status === "completed" ? paint.green : status === "failed" ? paint.red : paint.yellow;
  const mark = status === "completed" ? "✓" : status === "failed" ? "✗" : "!";
  const why = [stop_reason, budget].filter((word) => word != null).join(", ");
  const title = degraded === true ? "Makeshift answer" : "Answer";
  return [
    ...(final === null ? [] : ["", page.rule(title, ""), "", ...page.quoted(final, { most: linesOfAnswer })]),
    "",
    page.rule("End", after),
    ...page.told(mark, why === "" ? status : `${status}: ${why}`, { tone }),
    ...page.told(" ", countWords(counts)),
    ...page.told(" ", usageWords(usage)),
    ...(mock === undefined || mock.unused === 0
      ? []
      : page.told(
          "!",
          `${counted(mock.unused, "turn")} of the script ${mock.unused === 1 ? "was" : "were"} not used`,
          { tone: paint.yellow },
        )),
  ].filter((line) => line.trim() !== "" || line === "");
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
      : [`at most ${grouped(counts.context_chars)} characters a request`]),
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
