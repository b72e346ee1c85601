import type { Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent, EventType } from "../../../contract/agent-event.ts";

/** One fault for all the events that show it, described by the first; none where there are none. */
export function faultAt<Type extends EventType>(
  events: readonly AgentEvent<Type>[],
  tell: (events: readonly [AgentEvent<Type>, ...AgentEvent<Type>[]]) => Omit<Fault, "at">,
): Fault[] {
  const [first, ...rest] = events;
  return first === undefined ? [] : [{ ...tell([first, ...rest]), at: events as readonly AgentEvent[] }];
}
