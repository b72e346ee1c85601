import type { AgentEvent, EventType } from "../../../contract/agent-event.ts";
import { groupedBy } from "../../../shared/text/sort-and-group.ts";
import type { Contradiction } from "./contradictions.ts";
import type { RunView } from "./run-view.ts";

/** One letter for every type, so that the order of a turn is a pattern. */
const letters: Readonly<Record<EventType, string>> = {
  run_started: "b",
  skills_indexed: "i",
  turn_started: "t",
  model_request: "q",
  model_delta: "d",
  model_response: "r",
  error_occurred: "e",
  plan_created: "p",
  plan_updated: "p",
  action_planned: "a",
  action_validated: "v",
  approval_required: "R",
  approval_granted: "G",
  approval_denied: "D",
  skill_loaded: "l",
  resource_loaded: "L",
  workspace_diff: "w",
  action_executed: "x",
  observation_recorded: "o",
  turn_finished: "f",
  run_finished: "z",
};

const replies = "(?:qd*r)*(?:qd*)?";
const action = "av(?:R[GD]?)?l*L?w?x?o?";
/** What our own loop writes of one turn; any turn can break off between two of its events. */
const wholeTurn = new RegExp(`^t${replies}(?:e?p?(?:${action})?)e?fe?$`);
/** Before the first turn and after the last. */
const outside = /^bi?e*z$/;

/** Where our own loop cannot have written the events in this order, or a turn is missing. */
export function orderProblems(view: RunView): Contradiction[] {
  if (!view.isNative) return [];
  const byTurn = groupedBy(view.run.events, ({ turn }) => turn);
  const problems: Contradiction[] = [];
  for (const [turn, events] of byTurn) {
    const pattern = turn === 0 ? outside : wholeTurn;
    if (!pattern.test(events.map(({ type }) => letters[type]).join("")))
      problems.push({
        message: `${turn === 0 ? "the events of the run as a whole" : `the events of turn ${turn}`} are not those of a run, or not in its order`,
        at: events,
      });
    else problems.push(...strayCalls(turn, events), ...strayReplies(turn, events));
  }
  const numbers = view.run.events.map(({ turn, type }) => (type === "run_finished" ? byTurn.size : turn));
  const late = numbers.findIndex((turn, at) => at > 0 && ![0, 1].includes(turn - (numbers[at - 1] ?? 0)));
  const event = view.run.events[late];
  if (event !== undefined && !isLateError(event))
    problems.push({ message: `turn ${event.turn} does not follow the turn before it`, at: [event] });
  return problems;
}

/** What goes wrong before the first turn is an error of the whole run. */
function isLateError({ type, turn }: AgentEvent): boolean {
  return turn === 0 && type === "run_finished";
}

/** A turn is about one call. */
function strayCalls(turn: number, events: readonly AgentEvent[]): Contradiction[] {
  const ids = new Map<string, AgentEvent>();
  for (const event of events) {
    const id = (event.data as { call_id?: unknown }).call_id;
    if (typeof id === "string" && !ids.has(id)) ids.set(id, event);
  }
  if (ids.size <= 1) return [];
  return [{ message: `turn ${turn} is about ${ids.size} calls`, at: [...ids.values()] }];
}

/** A request has its reply, and the last of them is the one that is acted on. */
function strayReplies(turn: number, events: readonly AgentEvent[]): Contradiction[] {
  const problems: Contradiction[] = [];
  const replied = events.filter((event) => event.type === "model_response");
  const asked = events.filter((event) => event.type === "model_request");
  const wrong = replied.filter(({ data }, n) => data.attempt !== asked[n]?.data.attempt);
  if (wrong.length > 0)
    problems.push({ message: `a reply of turn ${turn} is to another attempt than was asked`, at: wrong });
  const early = replied.slice(0, -1).filter(({ data }) => data.ok);
  if (early.length > 0)
    problems.push({ message: `turn ${turn} went on asking after an accepted reply`, at: early });
  const last = replied.at(-1);
  const isPlanned = events.some(({ type }) => type === "action_planned");
  if (isPlanned && last?.data.ok !== true)
    problems.push({ message: `turn ${turn} acts on a reply that was not accepted`, at: events.slice(0, 1) });
  return problems;
}
