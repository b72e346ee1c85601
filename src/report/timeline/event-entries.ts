import type { EventData } from "../../contract/agent-event.ts";
import type { Tone } from "../../contract/view.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { fitsPart, isMap } from "../../shared/json/json-values.ts";
import { counted, grouped, milliseconds, usd } from "../text/format-numbers.ts";
import { formatValue } from "../view/explain-cell.ts";
import { actionText, actionWords, loggedText, type Recorded } from "./action-words.ts";

/** One entry about a run, for a timeline or a terminal. */
export type RunEntry = {
  /** Who or what: `user`, `model`, `tool read_file`. */
  label: string;
  text: string;
  /** Smaller words behind it. */
  aside?: string;
  /** How long it took. Kept apart from the words, since it differs between equal runs. */
  took?: string;
  tone?: Tone;
  /** Whether it matters only to readers of the run itself. */
  isDetail?: boolean;
} & (
  | { kind: "heading" }
  /** Named by its label. */
  | { kind: "fact" }
  /** Something that happened; the sign follows its tone by default. */
  | { kind: "line"; sign?: string }
  /** A text of the run itself; of one that is only the beginning, `rest` names the file that has all of it. */
  | { kind: "quote"; maxLines: number; rest?: string | undefined }
);

const maxQuoted = { argument: 12, output: 24 };

/** A text that belongs to the entry before it: arguments, output. */
export function quote(
  label: string,
  text: string,
  maxLines = maxQuoted.output,
): RunEntry & { kind: "quote" } {
  return { kind: "quote", label, text, maxLines };
}

export type Plan = EventData<"plan_created">["plan"];
type Step = Plan["steps"][number];

/** Something that happened. */
export function line(label: string, text: string, tone?: Tone): RunEntry & { kind: "line" } {
  return { kind: "line", label, text, ...(tone !== undefined && { tone }) };
}

export function warning(text: string): RunEntry {
  return line("warning", text, "warn");
}

/** What a model was asked, by the parts of its prompt: logs hold no prompts. */
export function promptEntry({ attempt, try: tried, chars, context_manifest }: EventData<"model_request">) {
  const sums = new Map<string, { count: number; chars: number }>();
  for (const { kind, chars } of context_manifest ?? []) {
    const sum = sums.get(kind) ?? { count: 0, chars: 0 };
    sums.set(kind, { count: sum.count + 1, chars: sum.chars + chars });
  }
  const parts = [...sums].map(
    ([kind, { count, chars }]) => `${count > 1 ? `${count}×` : ""}${kind} ${grouped(chars)}`,
  );
  const head = ["prompt", attempt > 1 ? `attempt ${attempt}` : "", tried > 1 ? `try ${tried}` : ""];
  const about = [
    chars === null ? "" : counted(chars, "character"),
    parts.length === 0 ? "" : `(${parts.join(", ")})`,
  ];
  const words = [head, about].map((some) => some.filter((one) => one !== ""));
  const [name = [], rest = []] = words;
  if (name.length + rest.length === 1) return [];
  return [line("prompt", [name.join(", "), rest.join(" ")].filter((one) => one !== "").join(": "), "muted")];
}

/** How a model call went, and what it cost. */
export function responseEntries(
  data: EventData<"model_response">,
  { pieces, text }: { pieces: number; text: string },
): RunEntry[] {
  const { attempt, ok, error, recovered, warnings, usage, duration_ms, fallback, cassette, mock } = data;
  const about = [
    attempt > 1 ? `attempt ${attempt}` : "",
    usage?.input_tokens == null ? "" : `${grouped(usage.input_tokens)} tokens in`,
    usage?.output_tokens == null ? "" : `${grouped(usage.output_tokens)} out`,
    usage?.cost_usd == null ? "" : usd(usage.cost_usd),
    pieces === 0 ? "" : `streamed in ${counted(pieces, "piece")}`,
    cassette === undefined ? "" : "from a recording",
    fallback === undefined ? "" : `by ${fallback}`,
  ].filter((fact) => fact !== "");
  const context = mock?.expect_context;
  // The duration of a script says nothing.
  const took = duration_ms === null || mock !== undefined ? "" : milliseconds(duration_ms);
  return [
    ...(about.length + took.length === 0
      ? []
      : [
          {
            ...line("model", about.join(" · ") || "replied", "muted"),
            ...(took !== "" && { took }),
            isDetail: about.length === 0,
          },
        ]),
    ...(ok ? [] : [line("model", `invalid reply: ${errorWords(error)}`, "bad")]),
    // What was shown of a reply that was not accepted is nowhere else.
    ...(ok || text === "" ? [] : [quote("streamed", text, maxQuoted.argument)]),
    ...(recovered === "extracted"
      ? [line("model", "the action was extracted from surrounding text", "warn")]
      : []),
    ...warnings.map(warning),
    ...(context?.ok === false
      ? [line("prompt", `not as the case expects: ${contextWords(context)}`, "bad")]
      : []),
  ];
}

function contextWords({
  missing,
  present,
}: {
  missing: readonly string[];
  present: readonly string[];
}): string {
  return [
    missing.length === 0 ? "" : `missing ${missing.join(", ")}`,
    present.length === 0 ? "" : `unexpected ${present.join(", ")}`,
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** What a model wants to do, with the arguments that its sentence leaves out. */
export function plannedEntries({ action, inferred }: EventData<"action_planned">): RunEntry[] {
  const { reason } = action.payload;
  const notes = [inferred === true ? "inferred" : "", typeof reason === "string" ? `because: ${reason}` : ""];
  const aside = notes.filter((note) => note !== "").join(", ");
  const quoted = actionText(action);
  return [
    { ...line("model", actionWords(action)), sign: "▸", ...(aside !== "" && { aside }) },
    ...(quoted === null ? [] : [quote("arguments", quoted, maxQuoted.argument)]),
  ];
}

/** Parameters that are not those of the planned action: who approved or ran a call may have been shown others. */
export function otherParams(planned: Recorded | undefined, params: JsonObject, words: string): RunEntry[] {
  if (planned === undefined) return [];
  const { type, payload } = planned;
  const args = type === "call_tool" ? payload.arguments : payload;
  if (fitsPart(comparable(args), comparable(params))) return [];
  return [line("arguments", words, "warn"), quote("arguments", formatValue(params), maxQuoted.argument)];
}

/** Texts that are too long for a line are kept once for each event, under names of their own: their hashes are compared. */
function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isMap(value)) return value;
  const { sha256, ref, chars } = value;
  if (typeof sha256 === "string" && (ref !== undefined || chars !== undefined)) return { sha256 };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member)]));
}

/** A file of a skill that reached the model. */
export function loadEntry({ skill, path, report }: EventData<"skill_loaded">): RunEntry {
  const shown = report.chars_returned == null ? "" : `${grouped(report.chars_returned)} characters shown`;
  const aside = [
    report.bytes == null ? "" : counted(report.bytes, "byte"),
    report.truncated === true ? `cut: ${shown}` : "",
    report.strategy === "section" ? "one section" : "",
    report.storage_ref === undefined ? "" : `complete in ${report.storage_ref}`,
  ];
  return {
    ...line("skill", `${path} of ${skill.name} loaded`, "good"),
    sign: "◂",
    aside: aside.filter((part) => part !== "").join(", "),
  };
}

/** What came of an action, where there is more to say than that it was done. */
export function executedEntries({
  action,
  tool,
  started,
  ok,
  error,
  result,
  audit,
}: EventData<"action_executed">): RunEntry[] {
  const label = action === "call_tool" && tool !== undefined ? `tool ${tool}` : action.replaceAll("_", " ");
  const took = audit === undefined || !started ? "" : lineSpan(audit.ts_start, audit.ts_end);
  const about = Object.entries(result).flatMap(([name, value]) =>
    name === "exit_code" || name === "sha256" || value === false || typeof value === "object"
      ? []
      : [`${name.replaceAll("_", " ")} ${String(value)}`],
  );
  const aside = {
    ...(took !== "" && { took }),
    ...(about.length > 0 && { aside: about.join(" · ") }),
  };
  if (ok === false)
    return [
      { ...line(label, `${started ? "failed" : "not started"}: ${errorWords(error)}`, "bad"), ...aside },
    ];
  const { exit_code } = result;
  if (typeof exit_code === "number")
    return [{ ...line(label, `exit code ${exit_code}`, exit_code === 0 ? "good" : "warn"), ...aside }];
  if (action === "final_answer" || action === "select_skills" || action === "load_resource") return [];
  if (ok === null) return [{ ...line(label, "result unknown", "muted"), ...aside }];
  return [{ ...line(label, "done", "good"), ...aside }];
}

/** `no skill is called x (SkillNotFound)`. */
export function errorWords(
  error: { code: string; message: string; reason?: string | undefined } | undefined,
): string {
  if (error === undefined) return "no reason given";
  return `${error.message} (${[error.code, error.reason].filter((word) => word !== undefined).join(", ")})`;
}

function lineSpan(start: string, end: string): string {
  const ms = Date.parse(end) - Date.parse(start);
  return Number.isNaN(ms) || ms < 0 ? "" : milliseconds(ms);
}

/** A plan with its steps. */
export function planEntries(plan: Plan, version: number): RunEntry[] {
  const aside = version > 1 ? `version ${version}, ${doneWords(plan)}` : counted(plan.steps.length, "step");
  return [{ ...line("plan", loggedText(plan.goal)), sign: "≡", aside }, ...plan.steps.map(stepEntry)];
}

export function doneWords({ steps }: Plan): string {
  const done = steps.filter(({ status }) => status === "completed").length;
  return `${done} of ${counted(steps.length, "step")} done`;
}

const steps: Record<Step["status"], { sign: string; tone?: Tone }> = {
  pending: { sign: "  ○" },
  in_progress: { sign: "  ◐" },
  completed: { sign: "  ●", tone: "good" },
  failed: { sign: "  ✗", tone: "bad" },
  skipped: { sign: "  –", tone: "muted" },
};

export function stepEntry({ title, status, reason }: Step): RunEntry {
  return {
    ...line("plan", loggedText(title)),
    ...steps[status],
    ...(reason !== undefined && { aside: loggedText(reason) }),
    isDetail: true,
  };
}

/** The plan after single changes, and the steps that they are about. */
export function changePlan(
  plan: Plan | null,
  ops: NonNullable<EventData<"plan_updated">["ops"]>,
): { next: Plan | null; changed: readonly Step[] } {
  if (plan === null) return { next: plan, changed: [] };
  const next = { ...plan, steps: plan.steps.map((step) => ({ ...step })) };
  const changed = new Set<Step>();
  for (const { path, value } of ops) {
    const [, root, id, member] = path.split("/");
    if (root === "goal") next.goal = value;
    const step = next.steps.find((each) => each.id === id);
    if (step === undefined || member === undefined) continue;
    if (member === "title") step.title = value;
    if (member === "reason") step.reason = value;
    if (member === "status" && isStatus(value)) step.status = value;
    changed.add(step);
  }
  return { next, changed: next.steps.filter((step) => changed.has(step)) };
}

function isStatus(value: unknown): value is Step["status"] {
  return typeof value === "string" && Object.hasOwn(steps, value);
}
