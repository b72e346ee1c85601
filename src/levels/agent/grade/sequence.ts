import { type CheckResult, type Fault, owed } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { callNames, executedNames, findStart } from "./call.ts";
import { checkErrors } from "./expected-errors.ts";
import { checkFates, isLost } from "./fates.ts";
import { anyTool, whyHidden } from "./hidden-items.ts";
import { checkScript } from "./mock-script.ts";
import { type RunView, unknownWords, whyUnobserved } from "./run-view.ts";
import { checkScriptEnds } from "./script-ends.ts";

/** Whether things were done in the order, and with the refusals, that the case asks for. */
export function checkSequence(view: RunView): CheckResult[] {
  const { action_sequence_constraints, one_action_per_turn = view.isNative } = view.case.expect;
  const checks = action_sequence_constraints.flatMap((rule) =>
    "forbid" in rule ? [checkForbidden(view, rule.forbid)] : checkRequired(view, rule),
  );
  if (one_action_per_turn) checks.push(checkTurns(view));
  if (view.isNative) checks.push(checkSelection(view));
  return [...checks, ...checkFates(view), ...checkErrors(view), checkScriptEnds(view), ...checkScript(view)];
}

function checkRequired(
  view: RunView,
  rule: { must_occur: string; before?: string | string[] | undefined },
): CheckResult[] {
  const { must_occur: name, before = [] } = rule;
  const [first] = executedAs(view, name);
  const checks: CheckResult[] = [
    {
      name: `must occur ${name}`,
      isRequired: true,
      exercised: true,
      ...owed(first !== undefined, whyUnobserved(view, "calls") ?? whyHidden(view, [name]), () => ({
        code: "MustOccurMissing",
        message: `${name} was never executed`,
        expected: { must_occur: name },
        actual: executedSequence(view),
        at: attemptsAt(view, name),
      })),
    },
  ];
  for (const later of typeof before === "string" ? [before] : before) {
    const [other] = executedAs(view, later);
    const isLate = first !== undefined && other !== undefined && first.seq > other.seq;
    const unread = whyOrderUnknown(view, [name, first], [later, other]);
    checks.push({
      name: `${name} before ${later}`,
      isRequired: true,
      exercised: first !== undefined && other !== undefined,
      unseen: view.records("calls") ? unread : unknownWords("calls"),
      faults:
        !isLate || unread !== null
          ? []
          : [
              {
                code: "OrderViolated",
                message: `${later} was executed before the first ${name}`,
                expected: { must_occur: name, before: later },
                actual: executedSequence(view),
                at: [other, first],
              },
            ],
    });
  }
  return checks;
}

type Seen = readonly [name: string, first: AgentEvent | undefined];

/** Why it is unknown whether something came first: what could not be read may have been earlier, or may be all there was of it. */
function whyOrderUnknown(view: RunView, [name, first]: Seen, [later, other]: Seen): string | null {
  if (first === undefined) return whyHidden(view, [name]);
  if (other !== undefined && first.seq > other.seq) return whyHidden(view, [name], { before: other.seq });
  // What a command may have done besides does not undo an order that is seen.
  return whyHidden(view, [later], { before: first.seq, isSeenCall: true });
}

function checkForbidden(view: RunView, name: string): CheckResult {
  const executed = executedAs(view, name);
  const attempts = attemptsAt(view, name);
  return {
    name: `forbid ${name}`,
    isRequired: true,
    exercised: executed.length > 0 || attempts.length > 0,
    attempted: executed.length === 0 && attempts.length > 0,
    unseen: view.records("calls")
      ? (whyHidden(view, [name]) ?? silenceOnFate(view, name))
      : unknownWords("calls"),
    faults:
      executed.length === 0
        ? []
        : [
            {
              code: "ForbiddenExecuted",
              message: `${name} is forbidden and was executed`,
              expected: { forbid: name },
              actual: executedSequence(view),
              at: executed,
            },
          ],
  };
}

/** What was planned and has no recorded end may have run. */
function silenceOnFate(view: RunView, name: string): string | null {
  const lost = view.calls.some((call) => isLost(view, call) && callNames(call).includes(name));
  return lost ? `how a call of ${name} ended was not recorded` : null;
}

function checkTurns(view: RunView): CheckResult {
  const executed = view.of("action_executed").filter(({ data }) => data.part_of === undefined);
  const crowded = [...groupedBy(executed, ({ turn }) => turn)].filter(([, events]) => events.length > 1);
  const faults: Fault[] = crowded.slice(0, 1).map(([turn, events]) => ({
    code: "MultipleActions",
    message:
      crowded.length === 1
        ? `turn ${turn} executed ${events.length} actions`
        : `${crowded.length} turns executed more than one action, turn ${turn} the first of them`,
    expected: 1,
    actual: events.length,
    at: crowded.flatMap(([, each]) => each),
  }));
  return {
    name: "one action per turn",
    isRequired: view.case.expect.one_action_per_turn === true,
    exercised: executed.length > 0,
    unseen: view.records("calls")
      ? whyHidden(view, ["select_skills", "load_resource", ...anyTool], { isSeenCall: true })
      : unknownWords("calls"),
    faults,
  };
}

/** In our own loop nothing of a skill is used before the first selection. */
function checkSelection(view: RunView): CheckResult {
  const [first] = executedAs(view, "select_skills");
  const uses = [...executedAs(view, "load_resource"), ...executedAs(view, "run_script")];
  const early = uses.filter(({ seq }) => first === undefined || seq < first.seq);
  return {
    name: "select_skills before load_resource and run_script",
    isRequired: false,
    exercised: uses.length > 0,
    unseen: null,
    faults:
      early.length === 0
        ? []
        : [
            {
              code: "OrderViolated",
              message: "a resource or a script of a skill was used before the first skill was selected",
              expected: { must_occur: "select_skills", before: ["load_resource", "run_script"] },
              actual: executedSequence(view),
              at: first === undefined ? early : [...early, first],
            },
          ],
  };
}

/** The events that show an action, a tool or the load of a body begin, in order. */
function executedAs(view: RunView, name: string): readonly AgentEvent[] {
  if (name === "load_skill_body") return view.of("skill_loaded");
  const executed = view
    .of("action_executed")
    .filter(({ data }) => data.started && executedNames(data).includes(name));
  return executed.length > 0 ? executed : changesAs(view, name);
}

/** What a command did to the files of the workspace, where they were compared. */
function changesAs(view: RunView, name: string): readonly AgentEvent[] {
  if (name !== "write_file" && name !== "delete_file") return [];
  return view.of("workspace_diff").filter(({ data: { by, added, changed, deleted } }) => {
    const files = name === "write_file" ? [...added, ...changed] : deleted;
    return by === "shell" && files.length > 0;
  });
}

function attemptsAt(view: RunView, name: string): AgentEvent[] {
  const wanted = name === "load_skill_body" ? "select_skills" : name;
  return view.calls.flatMap((call) => {
    const isAttempt = call.planned !== null && findStart(call) === null && callNames(call).includes(wanted);
    return isAttempt && call.planned !== null ? [call.planned] : [];
  });
}

const maxSequenceLength = 50;

function executedSequence(view: RunView): string[] {
  const started = view.of("action_executed").filter(({ data }) => data.started);
  const names = started.slice(0, maxSequenceLength).map(({ data }) => shownText(data.tool ?? data.action));
  return started.length > maxSequenceLength ? [...names, "…"] : names;
}
