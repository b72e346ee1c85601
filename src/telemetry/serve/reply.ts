import type { OutgoingHttpHeaders } from "node:http";

/** What a request is answered with. */
export interface Reply {
  status: number;
  headers: OutgoingHttpHeaders;
  body: string;
}

/** A JSON document. */
export function jsonReply(status: number, document: object, headers: OutgoingHttpHeaders = {}): Reply {
  const type = { "Content-Type": "application/json; charset=utf-8" };
  return { status, headers: { ...type, ...headers }, body: `${JSON.stringify(document)}\n` };
}

/** A refusal, with a code for programs and a sentence for people. */
export function refusal(
  status: number,
  code: string,
  message: string,
  headers: OutgoingHttpHeaders = {},
): Reply {
  return jsonReply(status, { error: { code, message } }, headers);
}

/** Nothing but headers. */
export function emptyReply(status: number, headers: OutgoingHttpHeaders): Reply {
  return { status, headers, body: "" };
}

/** A policy that allows these and nothing else. */
export function contentPolicy(allowed: readonly string[]): string {
  // `default-src` does not cover the last three.
  return [
    "default-src 'none'",
    ...allowed,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
}

/** Headers of every answer: no scripts, no framing, no caching, no referrer. */
export const safeHeaders = {
  "Content-Security-Policy": contentPolicy([]),
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cache-Control": "no-store",
} as const;
