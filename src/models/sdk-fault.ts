import { shorten } from "../shared/text/visible-text.ts";
import type { ProviderExchange } from "./provider-exchange.ts";
import { type ProviderFault, statusFault } from "./provider-fault.ts";

/** What went wrong, whoever noticed: our exchange, or the library that could not read what came. */
export function sdkFault(error: unknown, exchange: ProviderExchange): ProviderFault {
  const noticed = exchange.fault();
  if (noticed !== null) return noticed;
  if (!exchange.isAnswered()) throw error; // nothing was answered and nothing broke: our own mistake
  if (!(error instanceof Error))
    return { fault: "unavailable", message: `the reply broke off: ${wordsIn(error)}` };
  const { message, statusCode = 200, responseBody = "" } = error as SdkError;
  // An error that a provider tells in the middle of a stream has a status of its own.
  if (statusCode >= 300) return statusFault(statusCode, responseBody || message, undefined);
  const said = shorten(responseBody, excerptChars);
  return { fault: "bad-reply", message: `the reply cannot be read: ${message}${said && `: ${said}`}` };
}

type SdkError = Error & { statusCode?: number; responseBody?: string };

/** What a provider said in place of the rest of its reply. */
function wordsIn(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return typeof message === "string" ? message : JSON.stringify(error);
}

const excerptChars = 200;
