import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import { toolRisk } from "../../../contract/agent-tools.ts";
import type { Json, JsonObject } from "../../../shared/json/json.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import {
  type Call,
  calledTool,
  callNames,
  findRefusal,
  plannedPayload,
  type Refusal,
  selectedIn,
} from "./call.ts";
import { isExpected } from "./expected-errors.ts";
import { leftOutWords, type RunView } from "./run-view.ts";

/** Whether a run followed the script of its case: no entry refused or missing, and in strict mode none left over. */
export function checkScript(view: RunView): CheckResult[] {
  if (!view.isMock) return [];
  const { expect, mock } = view.case;
  const { stop_reason, mock: use } = view.finished.data;
  const isExhaustionExpected =
    expect.stop_reason === "mock_exhausted" || expect.errors.some(({ code }) => code === "MockExhausted");
  const check = { isRequired: false, unseen: null };
  const checks: CheckResult[] = [
    { ...check, name: "no scripted action is refused", ...checkRefusals(view) },
    {
      ...check,
      name: "the script is long enough",
      exercised: true,
      faults:
        stop_reason !== "mock_exhausted" || isExhaustionExpected
          ? []
          : [
              {
                code: "MockExhausted",
                message: `the script has no entry left for call ${view.counts.model_calls} to the model; add one to "mock.turns"`,
                expected: "an entry for every call to the model",
                actual: { entries: mock?.turns.length ?? null, calls: view.counts.model_calls },
                at: [view.finished],
              },
            ],
    },
  ];
  if (mock?.strict === true)
    checks.push({
      name: "the whole script was used",
      isRequired: true,
      exercised: true,
      unseen: use === undefined ? "the use of the script was not recorded" : null,
      faults:
        use === undefined || use.unused === 0
          ? []
          : [
              {
                code: "MockTurnsUnused",
                message: `${pluralize(use.unused, "entry", "entries")} of the script ${use.unused === 1 ? "was" : "were"} never used`,
                expected: 0,
                actual: use.unused,
                at: [view.finished],
              },
            ],
    });
  return checks;
}

/** Refusals caused by the environment, not by the script. They end a run without a verdict. */
const noFaultOfTheScript: ReadonlySet<string> = new Set([
  "SandboxUnavailable",
  "SandboxHid",
  "SkillChanged",
  "InternalError",
]);

function checkRefusals(view: RunView): Pick<CheckResult, "exercised" | "faults"> {
  const { errors } = view.case.expect;
  const faults: Fault[] = [];
  for (const call of view.calls) {
    const refusal = call.planned === null ? null : findRefusal(call);
    if (refusal === null || (view.isCutShort && noFaultOfTheScript.has(refusal.code))) continue;
    const names = callNames(call);
    if (errors.some((error) => isExpected(error, refusal.code, names))) continue;
    faults.push(refusalFault(view, call, refusal));
    if (faults.length === maxRefusals) break;
  }
  return { exercised: view.calls.length > 0, faults };
}

const maxRefusals = 10;

function refusalFault(view: RunView, call: Call, refusal: Refusal): Fault {
  const tool = calledTool(call);
  const name = tool ?? callNames(call)[0] ?? "an action";
  const fields = fieldsToAdd(view, call, refusal.code);
  const selected = selectedIn(call).map((skill) => skill.name);
  const error = { code: refusal.code, ...(tool !== null && { tool }) };
  const advice =
    fields === null
      ? `if this is intended, add to the case: "expect": ${JSON.stringify({ errors: [error] })}`
      : `add to the case: ${memberText(fields)} (or, if the refusal is intended, ${JSON.stringify(error)} to "expect.errors")`;
  return {
    code: "UnexpectedRefusal",
    message: `${shownText(name)} in turn ${call.planned?.turn ?? 0} was refused with ${shownText(refusal.code)}${fields === null ? ` (${shownText(refusal.message, 200)})` : ""}${leftOutWords(view, selected)}; ${advice}`,
    expected: fields ?? { expect: { errors: [error] } },
    actual: { code: refusal.code, message: shownText(refusal.message, 300) },
    at: call.planned === null ? [refusal.at] : [call.planned, refusal.at],
  };
}

/** The fields of a case that would let a call pass; null where none would. */
function fieldsToAdd({ case: written }: RunView, call: Call, code: string): JsonObject | null {
  const tool = calledTool(call);
  if (tool === null) return null;
  const approvals: Json[] = [
    { tool, ...approvalMatch(call, tool), decision: "grant", scope: "call" },
    ...(written.approvals as unknown as Json[]),
  ];
  const isOn = written.enable_tools.includes(tool) || toolRisk(tool) === "low";
  const isGranted = written.approvals.some((rule) => rule.tool === tool && rule.decision === "grant");
  if (code === "ApprovalRequired" || code === "ApprovalDenied") return { approvals };
  // What is denied by name stays denied, whatever is switched on.
  if (code !== "ToolNotAllowed" || isOn || written.constraints.deny_tools.includes(tool)) return null;
  return { enable_tools: [...written.enable_tools, tool], ...(!isGranted && { approvals }) };
}

/** What distinguishes this call from others of the same tool, where it is short enough to be read. */
function approvalMatch(call: Call, tool: string): { match?: JsonObject } {
  const payload = plannedPayload(call);
  const given = tool === "run_script" ? payload : ((payload.arguments ?? {}) as JsonObject);
  const member = ["relative_path", "path", "url"].find((key) => typeof given[key] === "string");
  const value = member === undefined ? undefined : given[member];
  if (member === undefined || typeof value !== "string" || value.length > 200) return {};
  return { match: { [member]: value } };
}

/** Members as written in a file, without the surrounding braces. */
function memberText(fields: JsonObject): string {
  return Object.entries(fields)
    .map(([key, value]) => `"${key}": ${JSON.stringify(value)}`)
    .join(", ");
}
