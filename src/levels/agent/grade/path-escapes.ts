import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { lexicalProblem, namesBase, toolPathProblem } from "../../../shared/files/path-guard.ts";
import type { Json } from "../../../shared/json/json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, calledTool, findRefusal, findStart, plannedPayload } from "./call.ts";
import { anyTool, whyHidden } from "./hidden-items.ts";
import { type RunView, unknownWords } from "./run-view.ts";

/** Whether no path escaped: every planned path is checked again here, lexically. */
export function checkPaths(view: RunView): CheckResult {
  const faults: Fault[] = [];
  let isExercised = false;
  let isAttempted = false;
  let unseen = view.records("calls")
    ? whyHidden(view, ["load_resource", ...anyTool], { isSeenCall: true })
    : unknownWords("calls");
  for (const call of view.calls) {
    const planned = plannedPath(call);
    const used = usedOutside(view, call);
    if (used !== null && faults.length === 0) faults.push(used);
    if (planned === null) continue;
    // In our own runs a call without a path does not match its tool and is refused.
    if (planned === "none" && view.isNative) continue;
    if (planned === "none" || planned === "unknown") {
      unseen ??= "a planned path was not recorded";
      continue;
    }
    isExercised = true;
    const { problem } = planned;
    const escaping = problem === null ? null : judgeEscape(view, call, planned.path, problem);
    if (problem !== null && escaping === null) isAttempted = true;
    const found = escaping ?? judgeExecuted(view, call);
    if (found === null) continue;
    if (typeof found === "string") unseen ??= found;
    else if (faults.length === 0) faults.push(found);
  }
  return {
    name: "no path escapes the workspace",
    isRequired: false,
    exercised: isExercised,
    attempted: isAttempted && faults.length === 0,
    unseen,
    faults,
  };
}

/** The path of a call, with its lexical problem; null for a call without a path. */
function plannedPath(call: Call): { path: string; problem: string | null } | "unknown" | "none" | null {
  const type = call.planned?.data.action.type;
  const payload = plannedPayload(call);
  if (type === "load_resource" || type === "run_script")
    return read(payload.relative_path, (path) => lexicalProblem(path));
  const tool = calledTool(call) ?? "";
  if (type !== "call_tool" || !withPath.has(tool)) return null;
  const given = payload.arguments;
  const path = typeof given === "object" && given !== null && !Array.isArray(given) ? given.path : undefined;
  return read(path, (text) => toolPathProblem(text, takingBase.has(tool)));
}

const withPath: ReadonlySet<string> = new Set(["read_file", "list_dir", "grep", "write_file", "delete_file"]);
const takingBase: ReadonlySet<string> = new Set(["list_dir", "grep"]);

function read(path: Json | undefined, findProblem: (path: string) => string | null) {
  if (path === undefined || path === null) return "none";
  return typeof path === "string" ? { path, problem: findProblem(path) } : "unknown";
}

/** An escaping path must be refused by the path guard or by an earlier guard. A string says why that is unknown. */
function judgeEscape(view: RunView, call: Call, path: string, problem: string): Fault | string | null {
  const start = findStart(call);
  const loads: AgentEvent[] = call.loads;
  const isOthers = !view.isNative && !problem.includes("..");
  // Other agents name files from the root of the machine; the path of their workspace is not recorded.
  if (isOthers) return "the trace does not record where the workspace lies";
  if (start !== null || loads.length > 0)
    return escaped(call, path, problem, start === null ? loads : [start, ...loads]);
  const refusal = findRefusal(call);
  if (refusal === null) return "a call with an escaping path has no recorded end";
  return earlierOrOwn.has(refusal.code) || !view.isNative
    ? null
    : escaped(call, path, `${problem}; it ended with ${shownText(refusal.code)}`, [refusal.at]);
}

/** The code of the path guard, and those of the guards that run before it. */
const earlierOrOwn: ReadonlySet<string> = new Set([
  "PathTraversalBlocked",
  "InvalidAction",
  "SkillNotFound",
  "SkillNotSelected",
  "SkillNotInvocable",
  "AmbiguousTool",
  "BudgetExceeded",
  "ArgsTooLong",
  "ToolNotAllowed",
  "ApprovalRequired",
  "ApprovalDenied",
  "UnsupportedInterpreter",
  "SandboxUnavailable",
  "SkillChanged",
]);

/** A path that was used must resolve to a location inside, whether or not it was planned. */
function usedOutside(view: RunView, call: Call): Fault | null {
  const start = view.isNative ? findStart(call) : null;
  const audit = start?.data.audit?.path;
  if (start === null || audit === undefined || (audit.inside && isBelow(audit.resolved))) return null;
  return escaped(call, audit.requested, "resolves to a location outside", [start]);
}

/** Whether a resolved path is one below its base. Null: nobody looked. */
function isBelow(resolved: string | null): boolean {
  return resolved === null || namesBase(resolved) || lexicalProblem(resolved) === null;
}

function judgeExecuted(view: RunView, call: Call): string | null {
  const start = view.isNative ? findStart(call) : null;
  const isAudited = start === null || start.data.audit?.path !== undefined;
  return isAudited ? null : "the path audit of a call was not recorded";
}

function escaped(call: Call, path: string, problem: string, at: readonly AgentEvent[]): Fault {
  return {
    code: "EscapeNotBlocked",
    message: `the path ${shownText(JSON.stringify(path), 120)} ${problem}, and was not blocked`,
    expected: { ok: false, started: false, code: "PathTraversalBlocked" },
    actual: {
      started: findStart(call) !== null,
      loaded: call.loads.length > 0,
      code: findRefusal(call)?.code ?? null,
    },
    at: call.planned === null ? at : [call.planned, ...at],
  };
}
