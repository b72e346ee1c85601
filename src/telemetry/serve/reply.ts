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

/** A no, with a word for programs and a sentence for people. */
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
