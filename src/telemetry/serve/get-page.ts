import { pagePath } from "./guard.ts";
import { emptyReply, type Reply } from "./reply.ts";
import { policyOf } from "./safe-headers.ts";
import type { TelemetryPage } from "./telemetry-page.ts";

/** `GET /dev/telemetry/ui`. Whoever comes with the token in the address gets a cookie for it, and an address without. */
export function getPage({ html, policy }: TelemetryPage, newCookie: string | null): Reply {
  if (newCookie !== null)
    return emptyReply(303, {
      Location: pagePath,
      // Cookies know no ports: under this path alone another server of this machine never sees it by chance.
      "Set-Cookie": `${newCookie}; Path=/dev/telemetry; HttpOnly; SameSite=Strict`,
    });
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyOf(policy),
  };
  return { status: 200, headers, body: html };
}
