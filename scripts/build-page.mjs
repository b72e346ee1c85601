// Builds our pages, that of the HTML report and that of the telemetry server: each is one file with our script and our
// style inside, both named by their hashes in its content security policy, and with slots for what a report brings.
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "vite";

const pages = {
  report: {
    entry: "report/index.html",
    slots: ["<!--slot:title-->", "<!--slot:plain-->", '"slot:report"'],
    allowed: [],
  },
  // Asks the server it came from, and nobody else.
  telemetry: { entry: "telemetry/index.html", slots: [], allowed: ["connect-src 'self'"] },
};

/** Writes a page to this file; tells which modules are in it. */
export async function buildPage(name, file) {
  const { entry, slots, allowed } = pages[name];
  const configFile = fileURLToPath(new URL("../web/vite.config.ts", import.meta.url));
  const moduleIds = [];
  const listModules = {
    name: "list-modules",
    // Before the chunks go into the page and are gone.
    enforce: "pre",
    generateBundle: (_options, chunks) => {
      for (const chunk of Object.values(chunks)) moduleIds.push(...(chunk.moduleIds ?? []));
    },
  };
  const input = fileURLToPath(new URL(`../web/${entry}`, import.meta.url));
  const { output } = await build({
    configFile,
    plugins: [listModules],
    build: { rolldownOptions: { input } },
  });
  const [page, ...rest] = output;
  if (rest.length > 0 || page.fileName !== entry)
    throw new Error(`the page must be one file, not ${output.map(({ fileName }) => fileName).join(", ")}`);
  writeFileSync(file, withPolicy(tidy(page.source), slots, allowed));
  return moduleIds;
}

/** Inline script and style need no words about how they would be fetched. */
function tidy(html) {
  return html
    .replace('<script type="module" crossorigin>', '<script type="module">')
    .replace('<style rel="stylesheet" crossorigin>', "<style>");
}

function withPolicy(html, slots, allowed) {
  const script = onlyOne(html, /<script type="module">([\s\S]*?)<\/script>/g, "script");
  const style = onlyOne(html, /<style>([\s\S]*?)<\/style>/g, "style");
  for (const slot of slots) onlyOne(html, new RegExp(slot, "g"), slot);
  const policy = [
    "default-src 'none'",
    `style-src '${hash(style)}'`,
    `script-src '${hash(script)}'`,
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return html.replace(
    "<!--slot:policy-->",
    `<meta http-equiv="Content-Security-Policy" content="${policy}" />`,
  );
}

function onlyOne(html, pattern, name) {
  const found = [...html.matchAll(pattern)];
  if (found.length !== 1) throw new Error(`the page must have exactly one ${name}, not ${found.length}`);
  return found[0][1];
}

function hash(text) {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
