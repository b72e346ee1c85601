import { type CheckResult, owed } from "../../../cases/grade/dimension.ts";
import type { ArgumentPattern, SequenceRule } from "../../../contract/agent-case.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import { isMap } from "../../../shared/json/json-values.ts";
import { matchInThread, matchLimitMs } from "../../../shared/json/match-in-thread.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { type Call, callNames, executedNames, findStart, plannedPayload } from "./call.ts";
import { isLost } from "./fates.ts";
import { whyHidden } from "./hidden-items.ts";
import { recordedText, wholeText } from "./recorded-text.ts";
import { type RunView, unknownWords, whyUnobserved } from "./run-view.ts";

/** Whether a run kept the rules of its case: what must occur, how often, in which order, and what may not. */
export async function checkRules(view: RunView, rules: readonly SequenceRule[]): Promise<CheckResult[]> {
  const checks: CheckResult[] = [];
  for (const rule of rules)
    if ("forbid" in rule)
      checks.push(checkForbidden(view, rule.forbid, await matching(view, rule.forbid, rule.args)));
    else checks.push(...checkRequired(view, rule, await matching(view, rule.must_occur, rule.args)));
  return checks;
}

/** What ran of a name, with the arguments that a rule asks for. */
interface Matching {
  name: string;
  /** As reports show it: `run_script with "--all"`. */
  shown: string;
  executed: readonly AgentEvent[];
  attempts: readonly AgentEvent[];
  /** Why it is unknown whether some of them match. */
  unclear: string | null;
}

async function matching(view: RunView, name: string, args: ArgumentPattern | undefined): Promise<Matching> {
  const executed = executedAs(view, name);
  const attempts = attemptsAt(view, name);
  if (args === undefined) return { name, shown: name, executed, attempts, unclear: null };
  let unclear: string | null = null;
  const fitting = async (events: readonly AgentEvent[]) => {
    const found: AgentEvent[] = [];
    for (const event of events) {
      const fits = await fitsArguments(args, argumentText(view, event));
      if (fits === true) found.push(event);
      else if (fits !== false) unclear ??= fits;
    }
    return found;
  };
  const shown = `${name} with ${shownText(JSON.stringify(args), 100)}`;
  return { name, shown, executed: await fitting(executed), attempts: await fitting(attempts), unclear };
}

/** A text says why it is unknown. */
async function fitsArguments(
  { contains = [], matches }: ArgumentPattern,
  text: string | null,
): Promise<boolean | string> {
  if (text === null) return "the arguments of a call were not recorded";
  const plain = text.normalize();
  if (![contains].flat().every((words) => plain.includes(words.normalize()))) return false;
  if (matches === undefined) return true;
  const { pattern, flags = "u" } = typeof matches === "string" ? { pattern: matches } : matches;
  const end = await matchInThread({ pattern, flags, text });
  if (end.status === "overran") return `/${shownText(pattern)}/ ran longer than ${matchLimitMs} ms`;
  return end.status === "broken" ? `/${shownText(pattern)}/: ${shownText(end.problem, 200)}` : end.isMatch;
}

/**
 * The arguments of a call in one line: path and arguments of a script, the words of a command, the names of skills, the files that a
 * command changed; of any other tool its arguments as JSON. Null where some of it is known by its hash alone.
 */
function argumentText(view: RunView, event: AgentEvent): string | null {
  if (event.type === "workspace_diff") {
    const { added, changed, deleted } = event.data;
    return [...added, ...changed, ...deleted].join(" ");
  }
  const id = (event.data as { call_id?: string }).call_id ?? "";
  const call = view.call(id, event.seq);
  return call === undefined ? null : wordsOf(view, call);
}

function wordsOf(view: RunView, call: Call): string | null {
  const payload = plannedPayload(call);
  const given = isMap(payload.arguments) ? payload.arguments : {};
  switch (call.planned?.data.action.type) {
    case undefined:
      return null;
    case "run_script":
      return joined(view, [payload.relative_path, ...listIn(payload.args)]);
    case "load_resource":
      return joined(view, [payload.relative_path]);
    case "select_skills":
      return joined(
        view,
        listIn(payload.skills).map((skill) => (isMap(skill) ? skill.name : skill)),
      );
    case "final_answer":
      return joined(view, [payload.content]);
    default:
      return payload.tool === "run_command"
        ? joined(view, [given.command, ...listIn(given.args)])
        : hasHidden(given)
          ? null
          : JSON.stringify(given);
  }
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function joined({ run }: RunView, parts: readonly unknown[]): string | null {
  const texts = parts.map((part) => {
    const recorded = recordedText(part);
    return recorded === null ? null : wholeText(run, recorded);
  });
  return texts.includes(null) ? null : texts.join(" ");
}

/** Whether a text among arguments was replaced by its hash. */
function hasHidden(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasHidden);
  if (!isMap(value)) return false;
  return typeof value.sha256 === "string" || Object.values(value).some(hasHidden);
}

type RequiredRule = Extract<SequenceRule, { must_occur: string }>;

function checkRequired(view: RunView, rule: RequiredRule, found: Matching): CheckResult[] {
  const { must_occur: name, before = [], min = 1, max = Number.POSITIVE_INFINITY } = rule;
  const { executed, shown, unclear } = found;
  const [first] = executed;
  const count = executed.length;
  const silence = whyUnobserved(view, "calls") ?? whyHidden(view, [name]) ?? unclear;
  const checks: CheckResult[] = [
    {
      name: `must occur ${shown}${min === 1 ? "" : `, at least ${times(min)}`}`,
      isRequired: true,
      exercised: min > 0,
      ...owed(count >= min, silence, () => ({
        code: "MustOccurMissing",
        message:
          count === 0
            ? `${shown} was never executed`
            : `${shown} was executed ${times(count)}, expected at least ${times(min)}`,
        expected: expectedBy(rule),
        actual: executedSequence(view),
        at: [...executed, ...found.attempts],
      })),
    },
  ];
  if (rule.max !== undefined)
    checks.push({
      name: `${shown} at most ${times(max)}`,
      isRequired: true,
      exercised: count > 0,
      unseen: view.records("calls") ? (whyHidden(view, [name]) ?? unclear) : unknownWords("calls"),
      faults:
        count <= max
          ? []
          : [
              {
                code: "OccursTooOften",
                message: `${shown} was executed ${times(count)}, expected at most ${times(max)}`,
                expected: expectedBy(rule),
                actual: count,
                at: executed.slice(max),
              },
            ],
    });
  for (const later of typeof before === "string" ? [before] : before) {
    const [other] = executedAs(view, later);
    const isLate = first !== undefined && other !== undefined && first.seq > other.seq;
    const unread = whyOrderUnknown(view, [name, first], [later, other]);
    checks.push({
      name: `${shown} before ${later}`,
      isRequired: true,
      exercised: first !== undefined && other !== undefined,
      unseen: view.records("calls") ? (unread ?? unclear) : unknownWords("calls"),
      faults:
        !isLate || unread !== null
          ? []
          : [
              {
                code: "OrderViolated",
                message: `${later} was executed before the first ${shown}`,
                expected: { must_occur: name, before: later },
                actual: executedSequence(view),
                at: [other, first],
              },
            ],
    });
  }
  return checks;
}

function expectedBy({ must_occur, args, min, max }: RequiredRule) {
  return {
    must_occur,
    ...(args !== undefined && { args: JSON.stringify(args) }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

type Seen = readonly [name: string, first: AgentEvent | undefined];

/** Why it is unknown whether something came first: what could not be read may have been earlier, or may be all there was of it. */
function whyOrderUnknown(view: RunView, [name, first]: Seen, [later, other]: Seen): string | null {
  if (first === undefined) return whyHidden(view, [name]);
  if (other !== undefined && first.seq > other.seq) return whyHidden(view, [name], { before: other.seq });
  // What a command may have done besides does not undo an order that is seen.
  return whyHidden(view, [later], { before: first.seq, isSeenCall: true });
}

function checkForbidden(
  view: RunView,
  name: string,
  { shown, executed, attempts, unclear }: Matching,
): CheckResult {
  return {
    name: `forbid ${shown}`,
    isRequired: true,
    exercised: executed.length > 0 || attempts.length > 0,
    attempted: executed.length === 0 && attempts.length > 0,
    unseen: view.records("calls")
      ? (whyHidden(view, [name]) ?? silenceOnFate(view, name) ?? unclear)
      : unknownWords("calls"),
    faults:
      executed.length === 0
        ? []
        : [
            {
              code: "ForbiddenExecuted",
              message: `${shown} is forbidden and was executed`,
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

/** The events that show an action, a tool or the load of a body begin, in order. */
export function executedAs(view: RunView, name: string): readonly AgentEvent[] {
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

export function executedSequence(view: RunView): string[] {
  const started = view.of("action_executed").filter(({ data }) => data.started);
  const names = started.slice(0, maxSequenceLength).map(({ data }) => shownText(data.tool ?? data.action));
  return started.length > maxSequenceLength ? [...names, "…"] : names;
}
