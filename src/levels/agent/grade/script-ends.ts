import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { runsCode } from "../../../contract/agent-recount.ts";
import { canonicalJson } from "../../../shared/json/canonical-json.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, calledSkill, calledTool, callNames, findStart, plannedPayload } from "./call.ts";
import { isExpected } from "./expected-errors.ts";
import { whyHidden } from "./hidden-items.ts";
import type { RunView } from "./run-view.ts";

/** Whether the last run of every script succeeded. One that was repaired and run again may have failed before. */
export function checkScriptEnds(view: RunView): CheckResult {
  const scripts = view.calls.flatMap((call) => {
    const start = findStart(call);
    return start !== null && runsSkillCode(start) ? [{ call, start }] : [];
  });
  const lastRuns = [...groupedBy(scripts, ({ call }) => scriptKey(call)).values()].flatMap((runs) =>
    runs.slice(-1),
  );
  return {
    name: "no script of a skill ends in failure",
    isRequired: false,
    exercised: scripts.length > 0,
    unseen: whyHidden(view, ["run_script", "result"], { isSeenCall: true }),
    faults: lastRuns.flatMap(({ call, start }) => failureOf(view, call, start)).slice(0, 1),
  };
}

function runsSkillCode({ data: { action, tool } }: AgentEvent<"action_executed">): boolean {
  return runsCode({ action, tool }) && tool !== "run_command";
}

function scriptKey(call: Call): string {
  return canonicalJson([calledTool(call), calledSkill(call), plannedPayload(call).relative_path ?? null]);
}

/** What the environment did is no fault of a script, and the run then has no verdict. */
const notItsFault: ReadonlySet<string> = new Set(["SandboxUnavailable", "SandboxHid", "SkillChanged"]);
/** Other agents do not say in our words how a program failed. */
const failedSomehow: ReadonlySet<string> = new Set(["ExitNonZero", "ToolFailed", "Timeout"]);

function failureOf(view: RunView, call: Call, start: AgentEvent<"action_executed">): Fault[] {
  const { ok, error } = start.data;
  if (ok !== false || error?.reason === "run_ended") return [];
  const code = error?.code ?? "ToolFailed";
  const names = callNames(call);
  const isReckonedWith = view.case.expect.errors.some(
    (expected) =>
      isExpected(expected, code, names) ||
      (!view.isNative && failedSomehow.has(expected.code) && isExpected(expected, expected.code, names)),
  );
  if (isReckonedWith || notItsFault.has(code)) return [];
  const tool = calledTool(call) ?? "";
  const path = plannedPayload(call).relative_path;
  const shown = shownText(typeof path === "string" ? path : tool);
  const advice = JSON.stringify({ errors: [{ code, tool }] });
  return [
    {
      code: "ScriptFailed",
      message: `the last run of ${shown} failed with ${shownText(code)} (${shownText(error?.message ?? "no reason given", 200)}); if this is intended, add "expect": ${advice}`,
      expected: "a last run that succeeds",
      actual: { code, message: shownText(error?.message ?? "", 300) },
      at: [start],
    },
  ];
}
