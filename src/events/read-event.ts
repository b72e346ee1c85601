import { isMap } from "../base/is-map.ts";
import { parseStrictJson } from "../base/strict-json.ts";
import { shownText } from "../base/visible-text.ts";
import { zodProblem } from "../base/zod-problem.ts";
import { type AgentEvent, type EventType, eventData } from "../contract/agent-event.ts";

/** Characters of a line. */
const longestLine = 16 << 20;

export type ReadEvent =
  | { kind: "event"; event: AgentEvent }
  /** Of a type that a later version may have. */
  | { kind: "unknown"; message: string }
  /** What is wrong with the line, to follow its number: `is not JSON`. */
  | { kind: "damaged"; message: string };

/** Reads one line of a log. Its number must be the `seq` in it, and its run that of the lines before. */
export function readEvent(line: string, seq: number, runId: string | undefined): ReadEvent {
  if (line.length > longestLine) return damaged("is longer than 16 MiB");
  const parsed = parseStrictJson(line);
  if (!parsed.ok) return damaged(`cannot be read: ${shownText(parsed.problem, 120)}`);
  const problem = envelopeProblem(parsed.value, seq, runId);
  if (problem !== null) return damaged(problem);
  const event = parsed.value as AgentEvent;
  const type = event.type as string;
  if (type === "load_skill_body") event.type = "skill_loaded";
  if (!Object.hasOwn(eventData, event.type))
    return { kind: "unknown", message: `the type ${shownText(type)} is not known and was ignored` };
  const fit = eventData[event.type as EventType].safeParse(event.data);
  return fit.success
    ? { kind: "event", event }
    : damaged(shownText(`is no ${type}: data${zodProblem(fit.error, event.data).message.slice(1)}`, 400));
}

/** What every line has, whatever its type; by hand, since there are many. */
function envelopeProblem(value: unknown, seq: number, runId: string | undefined): string | null {
  if (!isMap(value)) return "is no event";
  if (value.v !== 1) return `is of version ${shownText(String(JSON.stringify(value.v)))}; known is 1`;
  if (value.seq !== seq) return `has the number ${shownText(String(JSON.stringify(value.seq)))}, not ${seq}`;
  if (typeof value.run_id !== "string" || value.run_id === "") return "does not say which run it is of";
  if (runId !== undefined && value.run_id !== runId)
    return `is of another run: ${shownText(value.run_id)}, not ${shownText(runId)}`;
  if (typeof value.ts !== "string") return "has no time";
  if (!Number.isSafeInteger(value.turn) || (value.turn as number) < 0) return "does not say its turn";
  if (typeof value.type !== "string") return "has no type";
  return isMap(value.data) ? null : "has no data";
}

function damaged(message: string): ReadEvent {
  return { kind: "damaged", message };
}
