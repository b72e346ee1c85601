import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { type Browser, chromium } from "playwright-core";

const require = createRequire(import.meta.url);

/** A real browser, or null with a loud warning where none can start; a failure where one is required. */
export async function startBrowser(): Promise<Browser | null> {
  try {
    return await launch(await unpackedBrowser());
  } catch (error) {
    const isDemanded = process.env.CI === "true" || process.env.EVAL_SKILLS_REQUIRE_BROWSER === "1";
    if (isDemanded) throw new Error("browser tests are demanded and no browser starts", { cause: error });
    console.error(`SKIPPED: browser tests, because no browser starts here: ${(error as Error).message}`);
    return null;
  }
}

async function launch(folder: string): Promise<Browser> {
  const options = { executablePath: join(folder, "chromium"), args: ["--no-sandbox"] };
  try {
    return await chromium.launch(options);
  } catch {
    // Most likely NSS is not installed: the package brings its own.
    const libraries = join(folder, "al2023", "lib");
    return await chromium.launch({ ...options, env: { ...process.env, LD_LIBRARY_PATH: libraries } });
  }
}

/** Unpacks the browser of the package, once per version: made in a temporary folder and renamed, so that nobody finds half of one. */
async function unpackedBrowser(): Promise<string> {
  const manifest = resolve(require.resolve("@sparticuz/chromium"), "../../../package.json");
  const { version } = require(manifest) as { version: string };
  const cache = resolve(import.meta.dirname, "../node_modules/.cache/eval-skills-browser");
  const folder = join(cache, version);
  if (existsSync(folder)) return folder;
  const made = `${folder}.${process.pid}`;
  await mkdir(made, { recursive: true });
  try {
    await unpackInto(made);
    await rename(made, folder);
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    // Another test file was quicker.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

async function unpackInto(folder: string): Promise<void> {
  const { default: packed } = await import("@sparticuz/chromium");
  // The package unpacks to the folder for temporary files, and its libraries only if it thinks they are needed.
  const { TMPDIR, AWS_EXECUTION_ENV } = process.env;
  process.env.TMPDIR = folder;
  process.env.AWS_EXECUTION_ENV = "AWS_Lambda_nodejs20.x";
  try {
    await packed.executablePath();
  } finally {
    restore("TMPDIR", TMPDIR);
    restore("AWS_EXECUTION_ENV", AWS_EXECUTION_ENV);
  }
}

function restore(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}
