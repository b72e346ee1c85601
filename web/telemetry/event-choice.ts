import type { TelemetryContext } from "../../src/contract/telemetry.ts";

/** Which events the reader wants to see. */
export interface EventChoice {
  eventName: string | null;
  context: TelemetryContext;
  /** As the field for times writes them: `2026-03-01T07:24`, in UTC. Empty: no bound. */
  from: string;
  until: string;
}

export const everyEvent: EventChoice = { eventName: null, context: {}, from: "", until: "" };

/** The choice as the server reads it. */
export function choiceParameters({ eventName, context, from, until }: EventChoice): URLSearchParams {
  const parameters: [string, string | null | undefined][] = [
    ["event_name", eventName],
    ["since_ts", toSeconds(from)],
    ["until_ts", toSeconds(until)],
    ...Object.entries(context),
  ];
  return new URLSearchParams(parameters.filter((pair): pair is [string, string] => Boolean(pair[1])));
}

export function isEverything(choice: EventChoice): boolean {
  return choiceParameters(choice).size === 0;
}

function toSeconds(time: string): string | null {
  const ms = Date.parse(`${time}Z`);
  return Number.isNaN(ms) ? null : String(ms / 1000);
}
