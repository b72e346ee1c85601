import type { EventData } from "../../contract/agent-event.ts";
import { counted, grouped, milliseconds, usd } from "../format-numbers.ts";
import { textOf } from "./action-words.ts";
import type { StoryPage } from "./story-page.ts";

const linesOfOutput = 8;

/** How a model call went, and what it cost. */
export function responseLines(data: EventData<"model_response">, pieces: number, page: StoryPage): string[] {
  const { attempt, ok, error, recovered, warnings, usage, duration_ms, fallback, cassette, mock } = data;
  const { paint } = page;
  const facts = [
    attempt > 1 ? `attempt ${attempt}` : "",
    duration_ms === null ? "" : milliseconds(duration_ms),
    usage?.input_tokens == null ? "" : `${grouped(usage.input_tokens)} tokens in`,
    usage?.output_tokens == null ? "" : `${grouped(usage.output_tokens)} out`,
    usage?.cost_usd == null ? "" : usd(usage.cost_usd),
    pieces === 0 ? "" : `streamed in ${counted(pieces, "piece")}`,
    cassette === undefined ? "" : "from a recording",
    fallback === undefined ? "" : `by ${fallback}`,
  ].filter((fact) => fact !== "");
  const context = mock?.expect_context;
  return [
    ...(facts.length === 0 ? [] : page.told("·", facts.join(" · "), { tone: paint.dim })),
    ...(ok ? [] : page.told("✗", `the reply is no action: ${errorWords(error)}`, { tone: paint.red })),
    ...(recovered === "extracted"
      ? page.told("!", "other text stood around the action", { tone: paint.yellow })
      : []),
    ...warnings.flatMap((warning) => page.told("!", warning, { tone: paint.yellow })),
    ...(context?.ok === false
      ? page.told("✗", `the prompt is not what the case expects: ${contextWords(context)}`, {
          tone: paint.red,
        })
      : []),
  ];
}

/** A file of a skill that was put before the model. */
export function loadLines(data: EventData<"skill_loaded">, page: StoryPage): string[] {
  const { skill, path, report } = data;
  const size = report.bytes == null ? "" : counted(report.bytes, "byte");
  const shown = report.chars_returned == null ? "" : `${grouped(report.chars_returned)} characters shown`;
  const how = [
    size,
    report.truncated === true ? `cut: ${shown}` : "",
    report.strategy === "section" ? "one section" : "",
  ];
  const where = report.storage_ref === undefined ? "" : `all of it in ${report.storage_ref}`;
  const aside = [...how, where].filter((part) => part !== "").join(", ");
  return page.told("◂", `${path} of ${skill.name} is read`, { tone: page.paint.green, aside });
}

/** What came of an action, where there is more to say than that it was done. */
export function executedLines(data: EventData<"action_executed">, page: StoryPage): string[] {
  const { action, started, ok, error, result, audit } = data;
  const { paint } = page;
  const facts = [
    audit === undefined || !started ? "" : spanOf(audit.ts_start, audit.ts_end),
    ...Object.entries(result).flatMap(([name, value]) =>
      name === "exit_code" || typeof value === "object"
        ? []
        : [`${name.replaceAll("_", " ")} ${String(value)}`],
    ),
  ].filter((fact) => fact !== "");
  const aside = facts.join(" · ");
  if (ok === false) {
    const words = `${started ? "fails" : "is not done"}: ${errorWords(error)}`;
    return page.told("✗", words, { tone: paint.red, aside });
  }
  const { exit_code } = result;
  if (typeof exit_code === "number")
    return page.told("✓", `ends with exit code ${exit_code}`, { tone: paint.green, aside });
  if (action === "final_answer" || action === "select_skills" || action === "load_resource") return [];
  if (ok === null) return page.told("·", "nothing is known of what came of it", { tone: paint.dim, aside });
  return page.told("✓", "done", { tone: paint.green, aside });
}

/** What the model is told of it. */
export function observationLines(data: EventData<"observation_recorded">, page: StoryPage): string[] {
  const text = textOf(data.summary);
  return text === "" ? [] : page.quoted(text, { most: linesOfOutput, rest: data.storage_ref });
}

/** `SkillNotFound: no skill is called x`. */
export function errorWords(
  error: { code: string; message: string; reason?: string | undefined } | undefined,
): string {
  if (error === undefined) return "no reason is told";
  return `${error.message} (${[error.code, error.reason].filter((word) => word !== undefined).join(", ")})`;
}

function contextWords({
  missing,
  present,
}: {
  missing: readonly string[];
  present: readonly string[];
}): string {
  return [
    missing.length === 0 ? "" : `it lacks ${missing.join(", ")}`,
    present.length === 0 ? "" : `it holds ${present.join(", ")}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

function spanOf(start: string, end: string): string {
  const ms = Date.parse(end) - Date.parse(start);
  return Number.isNaN(ms) || ms < 0 ? "" : milliseconds(ms);
}
