import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The page that shows events, and what it may do. */
export interface TelemetryPage {
  html: string;
  /** Its own script and style, named by their hashes; it may ask its own server, and nobody else. */
  policy: readonly string[];
}

// Beside the bundle, or in the build as seen from the source.
const places = ["./telemetry-page.html", "../../../dist/telemetry-page.html"];

/** Reads the page that `npm run build` makes of web/telemetry/. */
export function readTelemetryPage(): TelemetryPage {
  const file = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (file === undefined) throw new Error("the page of the telemetry server is not built: npm run build");
  const html = readFileSync(file, "utf8");
  return {
    html,
    policy: [
      `script-src ${hashOf(html, '<script type="module">', "</script>")}`,
      `style-src ${hashOf(html, "<style>", "</style>")}`,
      "connect-src 'self'",
    ],
  };
}

function hashOf(html: string, begin: string, end: string): string {
  const from = html.indexOf(begin) + begin.length;
  const text = html.slice(from, html.indexOf(end, from));
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
