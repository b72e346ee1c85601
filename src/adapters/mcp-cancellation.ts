import type { JSONRPCNotification, RequestId } from "@modelcontextprotocol/client";

/** The word that a request is not wanted any more. Made here: the SDK wants an abort signal for every call to that end, and those are dear. */
export function cancellation(requestId: RequestId): JSONRPCNotification {
  const params = { requestId, reason: "the call passed its deadline or was interrupted" };
  return { jsonrpc: "2.0", method: "notifications/cancelled", params };
}
