import type { StoredEvent, TelemetryGroup } from "../../src/contract/telemetry.ts";

/** A page of events, the newest first. */
export interface EventPage {
  events: StoredEvent[];
  enabled: boolean;
  now_ts: number;
  /** Where the older ones begin; null where there are none. */
  next_before_id: number | null;
}

export interface Summary {
  groups: TelemetryGroup[];
  total_groups: number;
  enabled: boolean;
}

const pageSize = 50;

export async function askEvents(
  parameters: URLSearchParams,
  beforeId: number | null,
  signal: AbortSignal,
): Promise<EventPage> {
  const asked = new URLSearchParams(parameters);
  asked.set("limit", String(pageSize));
  if (beforeId !== null) asked.set("before_id", String(beforeId));
  return (await ask("events", asked, signal)) as EventPage;
}

export async function askSummary(
  parameters: URLSearchParams,
  groupBy: string,
  signal: AbortSignal,
): Promise<Summary> {
  const asked = new URLSearchParams(parameters);
  asked.set("group_by", groupBy);
  return (await ask("summary", asked, signal)) as Summary;
}

/** Only ever asks the server the page came from. */
async function ask(what: "events" | "summary", parameters: URLSearchParams, signal: AbortSignal) {
  const answer = await fetch(`/dev/telemetry/${what}?${parameters}`, { signal }).catch((error: Error) => {
    throw signal.aborted ? error : new Error("The server does not respond. Is it still running?");
  });
  if (answer.status === 401) throw new Error("The server was restarted. Open the address that it printed.");
  const document = await answer.json();
  if (!answer.ok)
    throw new Error(document?.error?.message ?? `The server responded with status ${answer.status}.`);
  return document;
}
