import { readdirSync, readFileSync, statSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { emptyProject } from "./built-cli.ts";
import { hostileTexts } from "./hostile-texts.ts";

// The globals of the page, where the functions given to `evaluate` run.
// biome-ignore lint/suspicious/noExplicitAny: tests are checked as programs of Node
declare const window: any, document: any;

const browser = await startBrowser();
afterAll(() => browser?.close());

/** Some of every kind; two pages of them. */
const texts = hostileTexts.filter((_, index) => index % 5 < 2);

/** `telemetry serve` as a user starts it, and what it printed. */
async function served(project: Awaited<ReturnType<typeof emptyProject>>, env: Record<string, string> = {}) {
  const { child, ended } = project.start(["telemetry", "serve", "--port", "0"], {
    env: { EVAL_SKILLS_TELEMETRY_MODE: "local", ...env },
  });
  const printed = await new Promise<string>((done, failed) => {
    let output = "";
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (/ {2}page .*\n/.test(output)) done(output);
    });
    void ended.then(({ stderr }) => failed(new Error(stderr)));
  });
  const [name = ""] = readdirSync(project.at(".eval-skills")).filter((name) => name.endsWith(".token"));
  const tokenFile = project.at(".eval-skills", name);
  const token = readFileSync(tokenFile, "utf8").trim();
  const url = /Listening at (\S+)/.exec(printed)?.[1] ?? "";
  const post = async (events: readonly unknown[]) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const body = JSON.stringify({ events });
    const answer = await fetch(`${url}/telemetry/events`, { method: "POST", headers, body });
    return (await answer.json()) as { accepted: number; rejected: unknown[] };
  };
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  return {
    printed,
    tokenFile,
    token,
    url,
    post,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

test.skipIf(browser === null)(
  "fault row 52: what others sent stays text on the page, and stopping leaves no token behind",
  async () => {
    await using project = await emptyProject();
    await using server = await served(project, { EVAL_SKILLS_ENABLE_DEV_ROUTES: "true" });
    const { printed, tokenFile, token, url, post, stop } = server;
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    const address = /page +(\S+)/.exec(printed)?.[1] ?? "";
    expect(address).toBe(`${url}/dev/telemetry/ui?token=${token}`);
    const { accepted, rejected } = await post(texts.map(hostileEvent));
    expect(accepted + rejected.length).toBe(texts.length);
    expect(accepted).toBeGreaterThan(60);

    const context = await (browser as NonNullable<typeof browser>).newContext();
    context.setDefaultTimeout(10_000);
    const page = await context.newPage();
    const misdeeds = watched(page, url);
    await page.goto(address);
    await page.locator(".events .expand").first().waitFor();
    expect(page.url()).toBe(`${url}/dev/telemetry/ui`);
    expect(await page.content()).not.toContain(token);
    const names: string[] = [];
    for (let number = 2, isLast = false; !isLast; number++) {
      await page.evaluate(() => {
        for (const button of document.querySelectorAll(".expand[aria-expanded=false]")) button.click();
      });
      await expect.poll(() => page.locator(".expand[aria-expanded=false]").count()).toBe(0);
      names.push(...(await page.locator(".events .expand").allTextContents()));
      expect(await foreignParts(page)).toEqual([]);
      isLast = await page.getByRole("button", { name: "Older" }).isDisabled();
      if (isLast) break;
      await page.getByRole("button", { name: "Older" }).click();
      await page.getByText(`page ${number}`).waitFor();
    }
    expect(names).toHaveLength(accepted);
    expect(names).toContain("<script>window.hacked=1;alert(1)</script>");

    for (const name of ["Document key", "Block", "Client"])
      expect(await page.getByRole("searchbox", { name }).count()).toBe(1);
    const evil = "</script>";
    await page.getByRole("searchbox", { name: "Skill" }).fill(evil);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".events .expand").allTextContents()).toEqual([evil]);
    await page.getByLabel("Group by").selectOption("host_app");
    await expect.poll(() => page.locator(".groups tbody th").allTextContents()).toEqual([evil]);
    expect(await page.evaluate(() => ["hacked" in window, document.cookie])).toEqual([false, ""]);
    expect(misdeeds).toEqual([]);
    await context.close();

    const { code, stderr } = await stop();
    expect([code, stderr]).toEqual([0, "stop with Ctrl-C\nstopped\n"]);
    expect(readdirSync(project.at(".eval-skills")).filter((name) => name.endsWith(".token"))).toEqual([]);
  },
);

function hostileEvent(text: string) {
  const long = text.slice(0, 1500);
  return {
    event: text.trim() === "" ? "blank" : text.slice(0, 100),
    skill_id: long,
    host_app: long,
    run_id: long,
    case_id: long,
    block_id: long,
    payload: { status: text, [long]: text },
    extra: { text },
  };
}

/** Whatever the page does besides asking its own server. */
function watched(page: Page, url: string): string[] {
  const misdeeds: string[] = [];
  page.on("dialog", (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const requested = request.url();
    const isOwn = ["ui", "events", "summary"].some((name) =>
      requested.startsWith(`${url}/dev/telemetry/${name}`),
    );
    if (!isOwn || request.method() !== "GET") misdeeds.push(`request: ${requested}`);
  });
  page.on("console", (message) => misdeeds.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  page.on("popup", (popup) => misdeeds.push(`popup: ${popup.url()}`));
  return misdeeds;
}

/** Elements and attributes that the page never makes itself. */
function foreignParts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const foreign: string[] = [];
    const ours =
      /^(html|head|meta|title|style|script|noscript|body|div|header|main|section|footer|h[123]|p|span|bdi|strong|dl|dt|dd|table|caption|thead|tbody|tr|th|td|fieldset|legend|label|input|select|option|button|search|nav|pre|svg|circle|rect|path)$/;
    for (const element of document.querySelectorAll("*")) {
      const name = element.tagName.toLowerCase();
      if (!ours.test(name)) foreign.push(element.outerHTML.slice(0, 200));
      for (const attribute of element.attributes)
        if (/^(on|style$|src|href|action|formaction|srcdoc)/.test(attribute.name))
          foreign.push(attribute.name);
    }
    if (document.scripts.length !== 1) foreign.push(`${document.scripts.length} scripts`);
    return foreign;
  });
}
