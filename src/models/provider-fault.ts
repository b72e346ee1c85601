import type { ModelFault } from "../contract/model.ts";
import { isRedirect, networkWords, redirectWords, statusWords } from "../shared/network/http.ts";

/** The fault of a provider with one request. */
export interface ProviderFault {
  fault: ModelFault;
  message: string;
  status?: number | undefined;
  retryAfterMs?: number | undefined;
}

/** Carries a fault out through the library that asked for the request. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault) {
    super(fault.message);
    this.fault = fault;
  }
}

/** The fault behind an unsuccessful HTTP status. */
export function statusFault(status: number, body: string, retryAfterMs: number | undefined): ProviderFault {
  if (isRedirect(status)) return { fault: "refused", status, message: redirectWords(status) };
  const message = statusWords(status, readMessage(body));
  if (status === 429) return { fault: "rate-limited", status, message, retryAfterMs };
  const mayPass = status === 408 || status === 409 || status >= 500;
  return { fault: mayPass ? "unavailable" : "refused", status, message, retryAfterMs };
}

/** The fault behind a request that never got a whole answer. */
export function networkFault(error: Error): ProviderFault {
  return { fault: "unavailable", message: `incomplete reply: ${networkWords(error)}` };
}

/** Providers wrap their message in JSON of about the same shape. */
function readMessage(body: string): string {
  try {
    const { error, message } = JSON.parse(body);
    const text = error?.message ?? error ?? message;
    return (typeof text === "string" ? text : body).trim();
  } catch {
    return body.trim();
  }
}
