import type { CheckResult } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { foreignPrefix, type Risk, toolRisk } from "../../../contract/agent-tools.ts";
import { listed } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, calledSkill, calledTool, findStart } from "./call.ts";
import { anyTool, whyHidden } from "./hidden-items.ts";
import { faultAt, type RunView, unknownWords } from "./run-view.ts";

interface Started {
  call: Call;
  tool: string;
  event: AgentEvent<"action_executed">;
}

/** Whether every tool that ran was one that may run. */
export function checkTools(view: RunView): CheckResult[] {
  const { deny_tools: ofCase } = view.case.constraints;
  const denied = new Set([...ofCase, ...(view.started.data.policy?.deny_tools ?? [])]);
  const handed = view.calls.filter((call) => calledTool(call) !== null);
  const started = startedTools(view);
  const silence = (names: readonly string[], isSeenCall: boolean) =>
    view.records("calls") ? whyHidden(view, names, { isSeenCall }) : unknownWords("calls");

  const checks: CheckResult[] = [];
  if (denied.size > 0) {
    const isDenied = (call: Call) => denied.has(calledTool(call) ?? "");
    const wrong = started.filter(({ call }) => isDenied(call));
    checks.push({
      name: `deny ${listed([...denied], 10)}`,
      isRequired: ofCase.length > 0,
      exercised: handed.length > 0,
      attempted: wrong.length === 0 && handed.some(isDenied),
      unseen: silence([...denied], view.isNative),
      faults: faultAt(
        wrong.map(({ event }) => event),
        () => ({
          code: "DeniedToolExecuted",
          message: `${shownText(wrong[0]?.tool ?? "")} is denied and was executed`,
          expected: { deny_tools: [...denied] },
          actual: [...new Set(wrong.map(({ tool }) => tool))],
        }),
      ),
    });
  }

  const outside = started.flatMap((each) => {
    const why = denied.has(each.tool) ? null : problemWith(view, each);
    return why === null ? [] : [{ ...each, why }];
  });
  checks.push({
    name: "only allowed tools are executed",
    isRequired: view.case.constraints.allowed_tools_policy === "restrict",
    exercised: handed.length > 0,
    unseen: view.started.data.policy === null ? unknownWords("policy") : silence(anyTool, true),
    faults: faultAt(
      outside.map(({ event }) => event),
      () => ({
        code: "ToolOutsidePolicy",
        message: `${shownText(outside[0]?.tool ?? "")} was executed although ${outside[0]?.why}`,
        expected: view.started.data.policy?.allowed_tools ?? [],
        actual: [...new Set(outside.map(({ tool }) => tool))],
      }),
    ),
  });
  return checks;
}

export function startedTools(view: RunView): Started[] {
  return view.calls.flatMap((call) => {
    const tool = calledTool(call);
    const event = findStart(call);
    return tool === null || event === null ? [] : [{ call, tool, event }];
  });
}

/** Why a tool that ran was outside the effective set; null where it was inside, or the set is unknown. */
function problemWith(view: RunView, { call, tool, event }: Started): string | null {
  const { policy } = view.started.data;
  if (policy === null) return null;
  if (call.validated?.data.ok === false) return "it had been refused";
  if (event.data.audit?.policy.allowed === false) return "its own audit says that it was not allowed";
  if (!policy.allowed_tools.includes(tool)) return "it is not an allowed tool of the run";
  if (view.isNative && knownRisk(tool) !== "low" && !view.case.enable_tools.includes(tool))
    return `the case does not enable it ("enable_tools")`;
  const mode = view.case.constraints.allowed_tools_policy ?? policy.allowed_tools_policy;
  return mode === "restrict" && isRestricted(view, call, tool, event.seq)
    ? "no skill selected by then allows it"
    : null;
}

/** A script must be allowed by its own skill, any other tool by one of the selected skills; a skill without a list allows all. */
function isRestricted(view: RunView, call: Call, tool: string, seq: number): boolean {
  const owner = calledSkill(call);
  const allows = (name: string) => {
    const known = view.index.named(name);
    return known.length === 0 || known.some(({ allowed_tools }) => allowed_tools?.includes(tool) ?? true);
  };
  if (owner !== null) return !allows(view.index.indexedName(owner));
  const selected = [...view.selections.selected].filter(([, since]) => since < seq);
  return selected.length > 0 && !selected.some(([name]) => allows(name));
}

/** What harm a tool can do; null for one of another agent, of which we know nothing. */
export function knownRisk(tool: string): Risk | null {
  return tool.startsWith(foreignPrefix) ? null : toolRisk(tool);
}
