import { useEffect, useState } from "preact/hooks";
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
  const query = new URLSearchParams(parameters);
  query.set("limit", String(pageSize));
  if (beforeId !== null) query.set("before_id", String(beforeId));
  return (await ask("events", query, signal)) as EventPage;
}

export async function askSummary(
  parameters: URLSearchParams,
  groupBy: string,
  signal: AbortSignal,
): Promise<Summary> {
  const query = new URLSearchParams(parameters);
  query.set("group_by", groupBy);
  return (await ask("summary", query, signal)) as Summary;
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

/** The last reply of the server, and the error since. */
interface Answer<Value> {
  value: Value | null;
  problem: string | null;
  isAsking: boolean;
}

/** Fetches again whenever the query changes. The previous reply stays visible until then. */
export function useAnswer<Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  question: readonly unknown[],
): Answer<Value> {
  const [answer, setAnswer] = useState<Answer<Value>>({ value: null, problem: null, isAsking: true });
  useEffect(() => {
    const left = new AbortController();
    setAnswer((before) => ({ ...before, isAsking: true }));
    ask(left.signal).then(
      (value) => setAnswer({ value, problem: null, isAsking: false }),
      (error: Error) => {
        if (!left.signal.aborted)
          setAnswer((before) => ({ ...before, problem: error.message, isAsking: false }));
      },
    );
    return () => left.abort();
  }, question);
  return answer;
}
