import type { AgentEvent } from "../../../contract/agent-event.ts";
import {
  commandClasses,
  type UnknownClass,
  type UnknownItem,
  unknownItemCode,
} from "../../../contract/agent-origin.ts";
import { pluralize } from "../../../shared/text/phrases.ts";
import { shownText } from "../../../shared/text/visible-text.ts";

/** Something of a trace that nobody could read, and the line of the log where it stands. */
export interface HiddenItem extends UnknownItem {
  seq: number;
}

/**
 * What a run does not show, from the events and from what its beginning says of them: one that is missing in either place still
 * counts. Where the workspace was compared before and after a step, its calls wrote and deleted what that shows and no more.
 */
export function hiddenItems(
  started: AgentEvent<"run_started">,
  errors: readonly AgentEvent<"error_occurred">[],
  diffs: readonly AgentEvent<"workspace_diff">[],
): HiddenItem[] {
  const compared = new Set(diffs.map(({ turn }) => turn));
  const placed = errors.flatMap(({ seq, turn, data: { code, unknown } }): HiddenItem[] => {
    if (code !== unknownItemCode) return [];
    const item = unknown ?? { ...nothingKnown, could_be: [anything] };
    const isCompared = item.kind === opaqueKind && compared.has(turn);
    const could_be = item.could_be.filter((one) => !(isCompared && fileEffects.has(one)));
    return [{ ...item, could_be, seq }];
  });
  const known = new Set(placed.map(({ sha256, location }) => `${location} ${sha256}`));
  const unplaced = (started.data.origin.unknown ?? []).flatMap((item): HiddenItem[] =>
    typeof item === "string" || known.has(`${item.location} ${item.sha256}`)
      ? []
      : [{ ...item, seq: started.seq }],
  );
  return [...unplaced, ...placed];
}

/**
 * What the commands of our own runs may have done besides: run a script, and, unless the workspace was compared or there is no
 * network, change files or send something.
 */
export function commandItems(
  started: AgentEvent<"run_started">,
  executed: readonly AgentEvent<"action_executed">[],
  diffs: readonly AgentEvent<"workspace_diff">[],
): HiddenItem[] {
  const compared = new Set(diffs.map(({ turn }) => turn));
  const hasNetwork = started.data.isolation?.network !== "none";
  return executed.flatMap(({ seq, turn, data }): HiddenItem[] => {
    if (data.tool !== "run_command" || !data.started) return [];
    const could_be: UnknownClass[] = ["run_script"];
    if (!compared.has(turn)) could_be.push("write_file", "delete_file");
    if (hasNetwork) could_be.push("network_request");
    return [{ line: seq, location: `line ${seq}`, kind: opaqueKind, sha256: "", could_be, seq }];
  });
}

/** A call that ran and may have done more than its name says. */
const opaqueKind = "opaque";
const anything = "*";
const nothingKnown = { line: null, location: "the log", kind: "undescribed", sha256: "" };
const fileEffects: ReadonlySet<string> = new Set<UnknownClass>(["write_file", "delete_file"]);

const tools: readonly UnknownClass[] = [
  ...commandClasses.filter((each) => each !== "load_resource"),
  "other_tool",
];

/** How a rule names what an item could be: an action, a tool of any name, the load of a body, or another class. */
export function classesFor(name: string): readonly string[] {
  if (name === "call_tool") return tools.filter((each) => each !== "run_script");
  if (name === "load_skill_body") return ["select_skills"];
  return plainNames.has(name) ? [name] : ["other_tool"];
}

const plainNames: ReadonlySet<string> = new Set<UnknownClass>([
  ...tools,
  "select_skills",
  "load_resource",
  "final_answer",
  "turn",
  "result",
  "approval",
]);

interface Hiding {
  hidden: readonly HiddenItem[];
}

/**
 * Why a run may hold more of something than it shows; null where nothing could hide it. `before` is a line of the log. A call
 * that is opaque is itself seen, so it hides effects, and neither calls nor turns: `isSeenCall` leaves it out.
 */
export function whyHidden(
  { hidden }: Hiding,
  names: readonly string[],
  { before = Number.POSITIVE_INFINITY, isSeenCall = false }: { before?: number; isSeenCall?: boolean } = {},
): string | null {
  const classes = new Set(names.flatMap(classesFor));
  const found = hidden.filter(
    ({ seq, kind, could_be }) =>
      seq < before &&
      !(isSeenCall && kind === opaqueKind) &&
      could_be.some((one) => one === anything || classes.has(one)),
  );
  const [first] = found;
  if (first === undefined) return null;
  const which = found.length === 1 ? "" : ` and ${pluralize(found.length - 1, "other item")}`;
  const what = names.map((name) => shownText(name)).join(" or ");
  return first.kind === opaqueKind
    ? `a command or tool at ${shownText(first.location)}${which} may have done more than is recorded (${what})`
    : `${shownText(first.location)}${which} of the trace could not be read (${shownText(first.kind)}) and may be ${what}`;
}

/** The names of every tool, for rules about calls of any kind. */
export const anyTool: readonly string[] = tools;
