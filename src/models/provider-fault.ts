import type { ModelFault } from "../contract/model.ts";

/** What a provider did wrong with one request. */
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

/** The fault behind an HTTP status that is no success. */
export function statusFault(status: number, body: string, retryAfterMs: number | undefined): ProviderFault {
  if (status >= 300 && status < 400)
    return { fault: "refused", status, message: `HTTP ${status} to another place is not followed` };
  const said = wordsOf(body);
  const message = said === "" ? `HTTP ${status}` : `HTTP ${status}: ${said}`;
  if (status === 429) return { fault: "rate-limited", status, message, retryAfterMs };
  const mayPass = status === 408 || status === 409 || status >= 500;
  return { fault: mayPass ? "unavailable" : "refused", status, message, retryAfterMs };
}

/** The fault behind a request that never got a whole answer. */
export function networkFault(error: Error & { code?: string; errors?: Error[] }): ProviderFault {
  const reasons = error.errors?.map(({ message }) => message).join("; ");
  const said = error.message || reasons || error.name;
  const code = error.code !== undefined && !said.includes(error.code) ? ` (${error.code})` : "";
  return { fault: "unavailable", message: `no whole answer: ${said}${code}` };
}

/** Providers wrap their sentence in JSON of about the same shape. */
function wordsOf(body: string): string {
  try {
    const { error, message } = JSON.parse(body);
    const said = error?.message ?? error ?? message;
    return (typeof said === "string" ? said : body).trim();
  } catch {
    return body.trim();
  }
}
