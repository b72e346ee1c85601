import { contextFields, type TelemetryContext, type TelemetryFilter } from "../../contract/telemetry.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";

const defaultLimit = 200;
const maxEvents = 5000;

const filterParameters = ["since_ts", "until_ts", "event_name", ...contextFields] as const;
export const eventParameters = ["limit", "before_id", ...filterParameters] as const;
export const summaryParameters = ["group_by", ...filterParameters] as const;

/** Why the parameters of a request are not those of its route; null where they are. */
export function unknownParameter(parameters: URLSearchParams, known: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const [name, value] of parameters) {
    if (!known.includes(name)) return `unknown parameter ${shownText(name)}${meant(name, known)}`;
    if (seen.has(name)) return `duplicate parameter ${name}`;
    if (value === "") return `the parameter ${name} is empty; leave it out`;
    seen.add(name);
  }
  return null;
}

function meant(name: string, known: readonly string[]): string {
  const word = nearest(name, known);
  return word === null ? "" : `; did you mean ${word}?`;
}

/** Which events a request asks for, or what is wrong with how it asks. */
export function readFilter(parameters: URLSearchParams): TelemetryFilter | { problem: string } {
  const context: TelemetryContext = {};
  for (const field of contextFields) {
    const value = parameters.get(field);
    if (value !== null) context[field] = value;
  }
  const filter = {
    limit: numberIn(parameters, "limit") ?? defaultLimit,
    sinceTs: numberIn(parameters, "since_ts"),
    untilTs: numberIn(parameters, "until_ts"),
    beforeId: numberIn(parameters, "before_id"),
    eventName: parameters.get("event_name") ?? undefined,
    context,
  };
  const problem = findProblem(filter);
  return problem === null ? filter : { problem };
}

function findProblem({ limit, sinceTs, untilTs, beforeId }: TelemetryFilter): string | null {
  if (!Number.isInteger(limit) || limit < 1 || limit > maxEvents)
    return `limit must be a whole number from 1 to ${maxEvents}`;
  if (beforeId !== undefined && !(Number.isSafeInteger(beforeId) && beforeId >= 1))
    return "before_id must be a whole number of at least 1";
  if (Number.isNaN(sinceTs)) return "since_ts must be a number of seconds";
  if (Number.isNaN(untilTs)) return "until_ts must be a number of seconds";
  return null;
}

/** NaN where it is not a number; undefined where it is missing. */
function numberIn(parameters: URLSearchParams, name: string): number | undefined {
  const text = parameters.get(name);
  if (text === null) return undefined;
  return /^-?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) : Number.NaN;
}
