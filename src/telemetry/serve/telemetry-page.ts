import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { pagePath } from "./guard.ts";
import { contentPolicy, emptyReply, type Reply } from "./reply.ts";

/** The page that shows events, and what it may do. */
export interface TelemetryPage {
  html: string;
  /** Its own script and style, named by their hashes; it may ask its own server, and nobody else. */
  policy: readonly string[];
}

// Beside the bundle, or in the build as seen from the source.
const pagePaths = ["./telemetry-page.html", "../../../dist/telemetry-page.html"];

/** Reads the page that `npm run build` makes of web/telemetry/. */
export function readTelemetryPage(): TelemetryPage {
  const file = pagePaths.map((path) => fileURLToPath(new URL(path, import.meta.url))).find(existsSync);
  if (file === undefined) throw new Error("the page of the telemetry server is not built: npm run build");
  const html = readFileSync(file, "utf8");
  return {
    html,
    policy: [
      `script-src ${hashBetween(html, '<script type="module">', "</script>")}`,
      `style-src ${hashBetween(html, "<style>", "</style>")}`,
      "connect-src 'self'",
    ],
  };
}

function hashBetween(html: string, begin: string, end: string): string {
  const from = html.indexOf(begin) + begin.length;
  const text = html.slice(from, html.indexOf(end, from));
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

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
    "Content-Security-Policy": contentPolicy(policy),
  };
  return { status: 200, headers, body: html };
}
