import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { temporaryFolder } from "./temporary-folder.ts";

// The globals of the page, where the functions given to `evaluate` run.
// biome-ignore lint/suspicious/noExplicitAny: tests are checked as programs of Node
declare const document: any;

/** Opens a page from a file and writes down whatever it does that a report must not do. */
export async function openPage(
  browser: Browser,
  html: string,
  { hash = "", ...options }: BrowserContextOptions & { hash?: string } = {},
) {
  const folder = await temporaryFolder();
  const file = join(folder.path, "report.html");
  await writeFile(file, html);
  const context = await browser.newContext({
    locale: "en-US",
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const misdeeds: string[] = [];
  const address = pathToFileURL(file).href;
  page.on("dialog", (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url().replace(/#.*$/s, "") !== address) misdeeds.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => misdeeds.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  page.on("popup", (popup) => misdeeds.push(`popup: ${popup.url()}`));
  await page.goto(`${address}${hash}`);
  return {
    page,
    misdeeds,
    /** The cases of the results in the order shown. */
    cases: () => page.locator(".cells .expand").allTextContents(),
    /** The part of the address after `#`. */
    hash: () => new URL(page.url()).hash,
    async [Symbol.asyncDispose]() {
      await context.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Opens everything that a reader can open, as fast as only a test can. */
export async function openAll(page: Page): Promise<void> {
  for (const closed of ["[aria-expanded=false]", "details:not([open]) > summary"])
    while (await pressAll(page, closed)) await page.waitForTimeout(20);
}

/** How many were pressed. */
function pressAll(page: Page, selector: string): Promise<number> {
  return page.evaluate((selector) => {
    const found = document.querySelectorAll(selector);
    for (const element of found) element.click();
    return found.length;
  }, selector);
}

const ours =
  "html head meta title style script body div header main section footer h1 h2 h3 h4 p span bdi strong mark i a code " +
  "ul ol li dl dt dd table caption thead tbody tr th td details summary fieldset legend " +
  "label input select option button search nav pre svg g line circle rect path";

/** What the page holds beyond the elements and attributes of our own making. */
export function foreignElements(page: Page): Promise<string[]> {
  return page.evaluate((ours) => {
    const names = new Set(ours.split(" "));
    const foreign: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      const name = element.tagName.toLowerCase();
      if (!names.has(name)) foreign.push(element.outerHTML.slice(0, 200));
      for (const attribute of element.attributes) {
        const isOurLink = name === "a" && attribute.name === "href" && attribute.value.startsWith("#cell=");
        if (/^(on|style$|src|href|action|formaction|srcdoc)/.test(attribute.name) && !isOurLink)
          foreign.push(`${name} ${attribute.name}=${attribute.value.slice(0, 100)}`);
      }
    }
    if (document.scripts.length !== 2) foreign.push(`${document.scripts.length} scripts`);
    if (document.styleSheets.length !== 1) foreign.push(`${document.styleSheets.length} style sheets`);
    return foreign;
  }, ours);
}
