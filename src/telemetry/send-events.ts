import type { TelemetryEvent } from "../contract/telemetry.ts";

export interface Endpoint {
  url: string;
  token: string | null;
}

const answerWithinMs = 3000;

/** Sends events to an endpoint: null, or why they did not arrive. The only code in this folder that connects to another machine. */
export async function sendEvents(
  { url, token }: Endpoint,
  events: readonly TelemetryEvent[],
  signal: AbortSignal,
): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify({ events }),
      redirect: "error",
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]),
    });
    await response.body?.cancel();
    return response.ok ? null : `it answered ${response.status}`;
  } catch (error) {
    return wordsFor(error);
  }
}

function wordsFor(error: unknown): string {
  const { name, message, cause } = error as Error;
  if (name === "TimeoutError") return `it did not answer within ${answerWithinMs} ms`;
  if (name === "AbortError") return "the run ended before it answered";
  return cause instanceof Error
    ? cause.message || ((cause as NodeJS.ErrnoException).code ?? message)
    : message;
}
