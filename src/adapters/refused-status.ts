import { readRetryAfter, statusWords } from "../shared/network/http.ts";
import { shorten } from "../shared/text/visible-text.ts";

export interface RefusedStatus {
  status: "failed";
  cause: "http-status";
  message: string;
  isFinal: boolean;
  retryAfterMs: number | undefined;
  statusCode: number;
}

/** The fault behind an HTTP status of 400 or more: its message, whether another attempt may help, and when. */
export function refusedStatus(
  status: number,
  body: string,
  retryAfter: string | undefined,
  nowMs: number,
): RefusedStatus {
  return {
    status: "failed",
    cause: "http-status",
    message: statusWords(status, shorten(body.trim(), excerptChars)),
    statusCode: status,
    isFinal: status !== 429 && status < 500,
    retryAfterMs: isComplaint(status) ? readRetryAfter(retryAfter, nowMs) : undefined,
  };
}

/** Statuses of an overloaded target. */
export function isComplaint(status: number): boolean {
  return status === 429 || status === 503;
}

/** How much of the body of a refusal is quoted. */
export const excerptChars = 300;
