import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built page, cut where a report brings its own. */
export interface PageTemplate {
  beforeTitle: string;
  beforePlain: string;
  beforeReport: string;
  end: string;
}

// Beside the bundle, or in the build as seen from the source.
const places = ["./report-page.html", "../../../dist/report-page.html"];

/** Reads the page that `npm run build` makes of web/report/. */
export function readPageTemplate(): PageTemplate {
  const file = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find(existsSync);
  if (file === undefined) throw new Error("the page of the HTML report is not built: npm run build");
  const parts = readFileSync(file, "utf8").split(/<!--slot:(?:title|plain)-->|"slot:report"/);
  if (parts.length !== 4) throw new Error(`${file} is not a page template`);
  const [beforeTitle, beforePlain, beforeReport, end] = parts as [string, string, string, string];
  return { beforeTitle, beforePlain, beforeReport, end };
}
