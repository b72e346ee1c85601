import type { IncomingMessage } from "node:http";

/** A request, as far as its head says. */
export interface RequestHead {
  method: string;
  /** Exactly as sent: looked up as a key, and never made into anything else. */
  path: string;
  parameters: URLSearchParams;
  /** Null where it was not sent. */
  header(name: string): string | null;
}

/** Headers that would be ambiguous if they were sent twice. */
const onlyOnce = [
  "host",
  "origin",
  "authorization",
  "sec-fetch-site",
  "content-type",
  "content-encoding",
  "cookie",
];

/** The head of a request, or what is wrong with it. */
export function readHead(request: IncomingMessage): RequestHead | { problem: string } {
  const { method = "", url = "", headersDistinct } = request;
  if (!url.startsWith("/")) return { problem: "the address must begin with /" };
  const twice = onlyOnce.find((name) => (headersDistinct[name]?.length ?? 0) > 1);
  if (twice !== undefined) return { problem: `duplicate header ${twice}` };
  const question = url.indexOf("?");
  return {
    method,
    path: question === -1 ? url : url.slice(0, question),
    parameters: new URLSearchParams(question === -1 ? "" : url.slice(question)),
    header: (name) => headersDistinct[name]?.[0] ?? null,
  };
}
