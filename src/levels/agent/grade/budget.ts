import { type CheckResult, type Fault, owed } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { type RunRecount, runsCode } from "../../../contract/agent-recount.ts";
import type { AgentLimits } from "../../../contract/limits.ts";
import { callNames, findRefusal } from "./call.ts";
import { anyTool, whyHidden } from "./hidden-items.ts";
import { hasNoModelCall, type RunView, unknownWords, whyUnobserved } from "./run-view.ts";

/** Whether a run stayed within its limits, recounted, and ended as expected. */
export function checkBudget(view: RunView): CheckResult[] {
  return [...checkCounts(view), ...checkLimits(view), ...checkEnd(view), ...checkStopReason(view)];
}

const counted = [
  ["max_turns", "turns"],
  ["max_tool_calls", "tool_calls"],
  ["max_script_runs", "script_runs"],
  ["max_resource_loads", "resource_loads"],
  ["max_model_calls", "model_calls"],
  ["max_context_chars", "context_chars"],
] as const satisfies readonly (readonly [keyof AgentLimits, keyof RunRecount])[];

function checkCounts(view: RunView): CheckResult[] {
  const { limits } = view.started.data;
  return counted.flatMap(([limit, what]) => {
    const configured = view.case.constraints[limit];
    const max = Math.min(configured ?? Number.POSITIVE_INFINITY, limits?.[limit] ?? Number.POSITIVE_INFINITY);
    if (max === Number.POSITIVE_INFINITY) return [];
    const count = view.counts[what];
    const used = count ?? 0;
    const faults: Fault[] =
      used <= max
        ? []
        : [
            {
              code: "LimitExceeded",
              message: `${used} ${what.replace("_", " ")} used, ${limit} is ${max}`,
              expected: max,
              actual: used,
              at: what === "context_chars" ? countedEvents(view, what) : countedEvents(view, what).slice(max),
            },
          ];
    return [
      {
        name: limit,
        isRequired: configured !== undefined,
        exercised: used > 0 || isRefused(view, what),
        attempted: isRefused(view, what),
        unseen: silenceAbout(view, what, count) ?? whyUncounted(view, what),
        faults,
      },
    ];
  });
}

/** Whether something that counts was refused because nothing was left. */
function isRefused(view: RunView, what: keyof RunRecount): boolean {
  const kinds = refusable[what] ?? [];
  return view.calls.some(
    (call) =>
      findRefusal(call)?.code === "BudgetExceeded" && callNames(call).some((name) => kinds.includes(name)),
  );
}

const refusable: Partial<Record<keyof RunRecount, readonly string[]>> = {
  tool_calls: ["run_script", "call_tool"],
  script_runs: ["run_script"],
  resource_loads: ["load_resource"],
};

/** Why a count says nothing. */
function silenceAbout(view: RunView, what: keyof RunRecount, count: number | null): string | null {
  if (hasNoModelCall(view)) return null;
  if (count === null) return "the length of the prompts was not recorded";
  if (what === "context_chars" && view.of("model_request").some(({ data }) => data.chars === null))
    return "the length of some prompts was not recorded";
  if (what === "model_calls" && count === 0 && view.counts.turns > 0)
    return "the model calls were not recorded";
  return what === "turns" || what === "model_calls" || what === "context_chars" || view.records("calls")
    ? null
    : unknownWords("calls");
}

/** Why there may be more than was counted. */
function whyUncounted(view: RunView, what: keyof RunRecount): string | null {
  switch (what) {
    case "script_runs":
      // A command of ours counts as the script it may have run.
      return whyHidden(view, ["run_script", "other_tool"], { isSeenCall: view.isNative });
    case "resource_loads":
      return whyHidden(view, ["load_resource"]);
    case "tool_calls":
      return whyHidden(view, anyTool, { isSeenCall: true });
    default:
      return whyHidden(view, ["turn"]);
  }
}

function countedEvents(view: RunView, what: keyof RunRecount): readonly AgentEvent[] {
  const executed = view.of("action_executed");
  switch (what) {
    case "turns":
      return view.of("turn_started");
    case "model_calls":
      return view.of("model_request");
    case "context_chars":
      return view.of("model_request").filter(({ data }) => data.chars === view.counts.context_chars);
    case "script_runs":
      return executed.filter(({ data }) => data.started && runsCode(data));
    case "resource_loads":
      return executed.filter(({ data }) => data.started && data.action === "load_resource");
    default:
      return executed.filter(({ data }) => data.action === "run_script" || data.action === "call_tool");
  }
}

/** In our own runs the limits of a case are enforced, not only checked afterwards. */
function checkLimits(view: RunView): CheckResult[] {
  if (!view.isNative) return [];
  const { limits } = view.started.data;
  const { constraints, timeout_ms } = view.case;
  const named: Partial<Record<keyof AgentLimits, number | undefined>> = {
    max_turns: constraints.max_turns,
    max_tool_calls: constraints.max_tool_calls,
    max_script_runs: constraints.max_script_runs,
    max_resource_loads: constraints.max_resource_loads,
    max_model_calls: constraints.max_model_calls,
    max_context_chars: constraints.max_context_chars,
    max_cost_usd: constraints.max_cost_usd,
    timeout_ms,
  };
  const configured = Object.entries(named).filter(([, value]) => value !== undefined) as [
    keyof AgentLimits,
    number,
  ][];
  const differing = limits === null ? [] : configured.filter(([name, value]) => limits[name] !== value);
  return [
    {
      name: "the run used the limits of the case",
      isRequired: configured.length > 0,
      exercised: configured.length > 0,
      unseen: limits === null ? unknownWords("limits") : null,
      faults:
        differing.length === 0
          ? []
          : [
              {
                code: "LimitsDiffer",
                message: `the limits of the run differ from the case: ${differing.map(([name, value]) => `${name} ${limits?.[name]} instead of ${value}`).join(", ")}`,
                expected: Object.fromEntries(differing),
                actual: Object.fromEntries(differing.map(([name]) => [name, limits?.[name] ?? null])),
                at: [view.started],
              },
            ],
    },
  ];
}

/** A run without an answer needs a stop reason and a fallback answer. */
function checkEnd(view: RunView): CheckResult[] {
  const { stop_reason, degraded, final } = view.finished.data;
  const isAnswered = view
    .of("action_executed")
    .some(({ data }) => data.started && data.action === "final_answer");
  const at = [view.finished];
  const isThere = view.run.final === null ? (final?.chars ?? 0) > 0 : view.run.final.trim() !== "";
  const check = { isRequired: false, exercised: !isAnswered };
  return [
    {
      ...check,
      name: "a run without an answer has a stop reason",
      ...owed(isAnswered || hasText(stop_reason), silenceInTrace(view, "stop_reason"), () => ({
        code: "StopReasonMissing",
        message: "the run ended without an answer and without a stop reason",
        expected: "stop_reason",
        actual: stop_reason ?? null,
        at,
      })),
    },
    {
      ...check,
      name: "a run without an answer leaves a fallback answer",
      ...owed(isAnswered || (degraded === true && isThere), silenceInTrace(view, "degraded"), () => ({
        code: "DegradedOutputMissing",
        message:
          degraded === true
            ? "the run ended without an answer and left no fallback text"
            : "the run ended without an answer and is not marked as degraded",
        expected: { degraded: true, final: "some text" },
        actual: { degraded: degraded ?? null, final: isThere ? "some text" : "none" },
        at,
      })),
    },
  ];
}

/** Unlike what a run does, its end is recorded even when it is cut short. */
function silenceInTrace(view: RunView, word: "stop_reason" | "degraded"): string | null {
  return view.records(word) ? null : unknownWords(word);
}

function checkStopReason(view: RunView): CheckResult[] {
  const wanted = view.case.expect.stop_reason;
  if (wanted === undefined) return [];
  const { stop_reason } = view.finished.data;
  return [
    {
      name: `stop reason ${wanted}`,
      isRequired: true,
      exercised: true,
      ...owed(stop_reason === wanted, whyUnobserved(view, "stop_reason"), () => ({
        code: "StopReasonUnexpected",
        message: `the run ended with ${stop_reason ?? "no reason"}, expected ${wanted}`,
        expected: wanted,
        actual: stop_reason ?? null,
        at: [view.finished],
      })),
    },
  ];
}

function hasText(value: string | null | undefined): boolean {
  return value != null && value !== "";
}
