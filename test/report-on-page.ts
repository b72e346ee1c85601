import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, BrowserContextOptions } from "playwright-core";
import type { AgentReport, AgentResultReader } from "../src/contract/agent-report.ts";
import type { PlanReport, PlanResultReader } from "../src/contract/planbench-report.ts";
import type { CellReader, Report, SkillReport } from "../src/contract/report.ts";
import type { TaskResult } from "../src/contract/task-result.ts";
import type { QueryLine, TriggerReport } from "../src/contract/trigger-report.ts";
import { agentHtmlReporter } from "../src/reporters/agent/agent-html.ts";
import { htmlReporter } from "../src/reporters/html.ts";
import { planHtmlReporter } from "../src/reporters/planbench/plan-html.ts";
import { sampleCell, sampleReport, sampleSkill, stored } from "../src/reporters/sample-report.ts";
import { readerOf } from "../src/reporters/sample-trigger-report.ts";
import { triggerHtmlReporter } from "../src/reporters/trigger-html.ts";
import { temporaryFolder } from "./temporary-folder.ts";

export interface TestSkill {
  skill: SkillReport;
  cells: readonly TaskResult[];
}

/** The figures a skill with these cells has, as far as a page needs them. */
export function testSkill(skillId: string, given: readonly Partial<TaskResult>[]): TestSkill {
  const cells = given.map((cell) => sampleCell({ skillId, ...cell }));
  const count = (status: TaskResult["status"]) => cells.filter((cell) => cell.status === status).length;
  const [pass, fail, error, timeout] = [count("pass"), count("fail"), count("error"), count("timeout")];
  const counts = {
    total: pass + fail + error + timeout,
    pass,
    fail,
    error,
    timeout,
    invalid: count("invalid"),
  };
  const byTag = Object.fromEntries(
    cells.flatMap(({ tags }) =>
      tags.map((tag) => [tag, { total: 1, pass: 1, completionRate: 1, partialScore: 1 }]),
    ),
  );
  return { skill: sampleSkill({ skillId, counts, byTag }), cells };
}

/** A report of these skills as the page a reader opens. */
export function renderPage(skills: readonly TestSkill[], given: Partial<Report> = {}): string {
  const report = sampleReport({ reports: skills.map(({ skill }) => skill), ...given });
  const cellsOf: CellReader = (skillId, benchmarkId) => {
    const same = skills.find(({ skill }) => skill.skillId === skillId && skill.benchmarkId === benchmarkId);
    return stored(same?.cells ?? []);
  };
  return [...htmlReporter.render(report, cellsOf)].join("");
}

/** A report on triggering as the page a reader opens. */
export function renderTriggerPage(report: TriggerReport, queries: readonly QueryLine[]): string {
  return [...triggerHtmlReporter.render(report, readerOf(queries))].join("");
}

/** A report on agent runs as the page a reader opens. */
export function renderAgentPage(report: AgentReport, results: AgentResultReader): string {
  return [...agentHtmlReporter.render(report, results)].join("");
}

/** A report on plans as the page a reader opens. */
export function renderPlanPage(report: PlanReport, results: PlanResultReader): string {
  return [...planHtmlReporter.render(report, results)].join("");
}

/** Opens a page from a file and writes down whatever it does that a report must not do. */
export async function openPage(browser: Browser, html: string, options: BrowserContextOptions = {}) {
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
  page.on("dialog", (dialog) => {
    misdeeds.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    if (request.url() !== `file://${file}`) misdeeds.push(`request: ${request.url()}`);
  });
  page.on("console", (message) => misdeeds.push(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => misdeeds.push(`error: ${error.message}`));
  page.on("popup", (popup) => misdeeds.push(`popup: ${popup.url()}`));
  await page.goto(`file://${file}`);
  return {
    page,
    misdeeds,
    /** The tasks in the order shown. */
    tasks: () => page.locator(".cells .expand").allTextContents(),
    async [Symbol.asyncDispose]() {
      await context.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}
