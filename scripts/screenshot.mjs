// Makes docs/images/report.png: the page of a real run of examples/slugs, where one of two skills fails. Run with tsx, after a build.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { startBrowser } from "../test/browser.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const image = join(root, "docs/images/report.png");
const maxBytes = 120_000;

const folder = mkdtempSync(join(tmpdir(), "eval-skills-screenshot-"));
const browser = await startBrowser();
try {
  if (browser === null) throw new Error("no browser starts on this machine");
  evaluateExample();
  const context = await browser.newContext({ viewport: { width: 1200, height: 980 }, locale: "en-US" });
  const page = await context.newPage();
  await page.goto(pathToFileURL(join(folder, "eval-result.html")).href);
  await page.locator(".cells").waitFor();
  mkdirSync(join(root, "docs/images"), { recursive: true });
  await page.screenshot({ path: image });
} finally {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}
const { size } = statSync(image);
if (size > maxBytes)
  throw new Error(`docs/images/report.png has ${size} bytes, at most ${maxBytes} are allowed`);
console.log(`docs/images/report.png: ${Math.round(size / 1000)} kB`);

/** The command of the README; its gate fails on purpose. */
function evaluateExample() {
  const skills = ["--skills", "examples/slugs", "--tasks", "examples/slugs/slugs.eval.json"];
  const gate = ["--runs", "3", "--min-completion", "0.9"];
  const output = ["--format", "html", "--output-dir", folder, "--store", join(folder, "store.db")];
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(root, "bin/eval-skills.js"), "eval", ...skills, ...gate, ...output],
    { cwd: root, encoding: "utf8" },
  );
  if (status !== 1) throw new Error(`exit code ${status} instead of 1\n${stderr}`);
}
