import { type AgentEvent, type EventType, eventData } from "../../contract/agent-event.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { parseStrictJson } from "../../shared/json/strict-json.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** Characters of a line. */
const maxLineLength = 16 << 20;

export type ReadEvent =
  | { kind: "event"; event: AgentEvent }
  /** Of a type that a later version may have. */
  | { kind: "unknown"; message: string }
  /** What is wrong with the line, to follow its number: `is not JSON`. */
  | { kind: "damaged"; message: string };

/** Reads one line of a log. Its number must be the `seq` in it, and its run that of the lines before. */
export function readEvent(line: string, seq: number, runId: string | undefined): ReadEvent {
  if (line.length > maxLineLength) return damaged("is longer than 16 MiB");
  const parsed = parseStrictJson(line);
  if (!parsed.ok) return damaged(`cannot be read: ${shownText(parsed.problem, 120)}`);
  const problem = envelopeProblem(parsed.value, seq, runId);
  if (problem !== null) return damaged(problem);
  const event = parsed.value as AgentEvent;
  const type = event.type as string;
  if (type === "load_skill_body") event.type = "skill_loaded";
  if (!Object.hasOwn(eventData, event.type))
    return { kind: "unknown", message: `unknown event type ${shownText(type)} ignored` };
  const fit = eventData[event.type as EventType].safeParse(event.data);
  return fit.success
    ? { kind: "event", event }
    : damaged(
        shownText(
          `is not a valid ${type} event: data${zodProblem(fit.error, event.data).message.slice(1)}`,
          400,
        ),
      );
}

/** What every line has, whatever its type; by hand, since there are many. */
function envelopeProblem(value: unknown, seq: number, runId: string | undefined): string | null {
  if (!isMap(value)) return "is not an event";
  if (value.v !== 1)
    return `is of version ${shownText(String(JSON.stringify(value.v)))}; only version 1 is supported`;
  if (value.seq !== seq) return `has seq ${shownText(String(JSON.stringify(value.seq)))}, not ${seq}`;
  if (typeof value.run_id !== "string" || value.run_id === "") return "has no run_id";
  if (runId !== undefined && value.run_id !== runId)
    return `belongs to another run: ${shownText(value.run_id)}, not ${shownText(runId)}`;
  if (typeof value.ts !== "string") return "has no ts";
  if (!Number.isSafeInteger(value.turn) || (value.turn as number) < 0) return "has no valid turn";
  if (typeof value.type !== "string") return "has no type";
  return isMap(value.data) ? null : "has no data";
}

function damaged(message: string): ReadEvent {
  return { kind: "damaged", message };
}
