import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import type { TaskResult } from "../src/contract/task-result.ts";
import type { ConfusionSummary, JudgeName } from "../src/contract/trigger-report.ts";
import {
  agentReader,
  fullAgentResults,
  hostileAgentReport,
  sampleAgentReport,
  sampleMetrics,
} from "../src/reporters/agent/sample-agent-report.ts";
import { readableText } from "../src/reporters/html-text.ts";
import {
  fullPlanReport,
  fullPlanResults,
  hostilePlanReport,
  planReader,
  samplePlanReport,
} from "../src/reporters/planbench/sample-plan-report.ts";
import { askedTasks, failures, sampleReport, unknownSkill } from "../src/reporters/sample-report.ts";
import { sampleQuery } from "../src/reporters/sample-trigger-query.ts";
import {
  fullTriggerReport,
  sampleEntry,
  sampleLines,
  sampleQueries,
  sampleTriggerReport,
  sampleTriggerResult,
} from "../src/reporters/sample-trigger-report.ts";
import { startBrowser } from "./browser.ts";
import { hostileTexts } from "./hostile-texts.ts";
import {
  openPage,
  renderAgentPage,
  renderPage,
  renderPlanPage,
  renderTriggerPage,
  testSkill,
} from "./report-on-page.ts";

// The page's own world, in which the functions given to `evaluate` run.
// biome-ignore lint/suspicious/noExplicitAny: tests are checked as programs of Node
declare const window: any, document: any, getComputedStyle: any;

const browser = await startBrowser();
afterAll(() => browser?.close());

describe.skipIf(browser === null)("the HTML report in a browser", () => {
  const open = (html: string, options = {}) =>
    openPage(browser as NonNullable<typeof browser>, html, options);

  test("says the verdict of the gate, the figures with their interval, and what the run was", async () => {
    await using view = await open(renderPage([calculator]));

    const header = await view.page.locator("header").textContent();
    expect(header).toContain("Gate passed");
    expect(header).toContain("57 of 60 passed");
    expect(header).toContain("process, network: open, answer keys readable");
    const row = await view.page.locator(".summary tbody tr").textContent();
    expect(row).toContain("95.0%");
    expect(row).toContain("86.3–98.3");
    const whisker = view.page.locator(".interval-plot .whisker line").first();
    expect(await whisker.getAttribute("x1")).toBe("86.30%");
    expect(await whisker.getAttribute("x2")).toBe("98.29%");
    expect(await view.page.locator(".interval-plot .gate-line").getAttribute("x1")).toBe("80.00%");
    expect(await view.page.locator("#plain").count()).toBe(0);
    expect(view.misdeeds).toEqual([]);
  });

  test("of a gate that nobody asked for the page says and draws nothing", async () => {
    const { gate } = sampleReport();
    await using view = await open(
      renderPage([calculator], { gate: { ...gate, enforced: false, passed: false, below: ["my_calc"] } }),
    );

    expect(await view.page.locator("h1").textContent()).toBe("Evaluated");
    expect(await view.page.locator("header").textContent()).not.toContain("Gate");
    for (const drawn of [".gate-line", ".key-gate", ".dot-below"])
      expect(await view.page.locator(drawn).count()).toBe(0);
  });

  test("a report of run says how many were selected, and marks them", async () => {
    const [good, poor] = ["good", "poor"].map((skillId) => testSkill(skillId, [{}]));
    if (good === undefined || poor === undefined) throw new Error("two skills");
    Object.assign(good.skill, { selected: true, rank: 1 });
    Object.assign(poor.skill, { selected: false, rank: null });
    await using view = await open(renderPage([good, poor], { command: "run" }));

    expect(await view.page.locator("header").textContent()).toContain("Gate: 1 of 2 skills was selected.");
    expect(await view.page.locator(".summary .badge").allTextContents()).toEqual(["rank 1", "not selected"]);
  });

  test("a row opens to what its task asked for: description, input, expected, output side by side", async () => {
    const asked = testSkill("my_calc", [...failures]);
    await using view = await open(renderPage([asked], { tasks: askedTasks }));

    await view.page.getByRole("button", { name: "coding_003" }).first().click();
    const details = view.page.locator(".details");
    expect(await details.locator(".description").textContent()).toBe("The factorial of a number");
    const titles = details.locator(".values h3");
    expect(await titles.allTextContents()).toEqual(["Input (JSON)", "Expected (JSON)", "Output (JSON)"]);
    expect(await details.locator(".values pre").nth(1).textContent()).toBe("120");
    const tops = () =>
      view.page.evaluate(() =>
        [...document.querySelectorAll(".values pre")].map((part) => part.getBoundingClientRect().top),
      );
    expect(new Set(await tops()).size).toBe(1);
    await view.page.setViewportSize({ width: 360, height: 740 });
    expect(new Set(await tops()).size).toBe(3);
  });

  test("on a phone a row names its skill and trial, which have no columns there", async () => {
    const other = testSkill("other", [{ taskId: "same" }]);
    const twice = testSkill("twice", [
      { taskId: "same", trial: 1 },
      { taskId: "same", trial: 2 },
    ]);
    await using view = await open(renderPage([other, twice]), { viewport: { width: 360, height: 740 } });

    const whose = view.page.locator(".cells .whose");
    expect(await whose.allTextContents()).toEqual(["other, trial 1", "twice, trial 1", "twice, trial 2"]);
    expect(await whose.first().isVisible()).toBe(true);
    await view.page.setViewportSize({ width: 1000, height: 740 });
    expect(await whose.first().isVisible()).toBe(false);
  });

  test("an unknown figure is a dash with its reason, never a zero", async () => {
    const invalid = {
      skill: unknownSkill("essay", 1),
      cells: testSkill("essay", [{ status: "invalid" }]).cells,
    };
    await using view = await open(renderPage([invalid], { exitCode: 3 }));

    expect(await view.page.locator("h1").textContent()).toBe("No verdict");
    const row = view.page.locator(".summary tbody tr");
    expect(await row.locator(".completion").textContent()).toContain("no verdict");
    expect(await row.locator("[data-label=Composite]").textContent()).toBe("– (no valid result)");
    expect(await row.locator("[data-label=Flake]").textContent()).not.toMatch(/\d/);
    expect(await view.page.locator(".cells [data-label=Score]").textContent()).toBe(
      "– (invalid: no verdict)",
    );
  });

  test("lists what did not pass first, and sorts by every column, the keyboard alone sufficing", async () => {
    await using view = await open(renderPage([calculator]));
    expect(await view.tasks()).toEqual(["fails", "breaks", "hangs", "unjudged", "passes_2", "passes_10"]);

    await view.page.getByRole("button", { name: "Task", exact: true }).focus();
    await view.page.keyboard.press("Enter");
    const header = view.page.getByRole("columnheader", { name: "Task" });
    await expect.poll(() => header.getAttribute("aria-sort")).toBe("ascending");
    expect(await view.tasks()).toEqual(["breaks", "fails", "hangs", "passes_2", "passes_10", "unjudged"]);
    await view.page.keyboard.press("Space");
    await expect.poll(() => header.getAttribute("aria-sort")).toBe("descending");
    expect((await view.tasks())[0]).toBe("unjudged");

    await view.page.getByRole("button", { name: "Score" }).click();
    await expect.poll(async () => (await view.tasks()).at(-1)).toBe("unjudged");
    await view.page.getByRole("button", { name: "Score" }).click();
    await expect.poll(async () => (await view.tasks())[0]).toBe("passes_2");
    expect((await view.tasks()).at(-1)).toBe("unjudged");
  });

  test("filters by words, status, skill and tag, and clears them all", async () => {
    const other = testSkill("other", [{ taskId: "elsewhere", tags: ["slow"] }]);
    await using view = await open(renderPage([calculator, other]));
    const found = view.page.getByRole("status");

    await view.page.getByRole("searchbox").fill("GOT 119");
    await expect.poll(view.tasks).toEqual(["fails"]);
    expect(await found.textContent()).toBe("1 result found among 7");
    await view.page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(view.tasks).toHaveLength(7);
    await expect.poll(() => view.page.getByRole("searchbox").inputValue()).toBe("");

    await view.page.getByRole("button", { name: "timeout 1" }).click();
    await view.page.getByRole("button", { name: "error 1" }).click();
    await expect.poll(view.tasks).toEqual(["breaks", "hangs"]);
    await view.page.getByRole("button", { name: "Clear filters" }).click();

    await view.page.getByRole("combobox", { name: "Skill" }).selectOption({ label: "other" });
    await expect.poll(view.tasks).toEqual(["elsewhere"]);
    await view.page.getByRole("combobox", { name: "Tag" }).selectOption({ label: "math" });
    await expect.poll(view.tasks).toEqual([]);
    expect(await view.page.locator(".empty").textContent()).toContain("No result");
  });

  test("a skill and a tag lead to their results", async () => {
    const other = testSkill("other", [{ taskId: "elsewhere", tags: ["slow"] }]);
    await using view = await open(renderPage([calculator, other]));

    await view.page.locator(".summary .link", { hasText: "other" }).click();
    await expect.poll(view.tasks).toEqual(["elsewhere"]);

    await view.page.locator(".skill > summary", { hasText: "my_calc" }).click();
    await view.page.locator(".tags .link", { hasText: "money" }).click();
    await expect.poll(view.tasks).toEqual(["hangs"]);
  });

  test("one skill on two benchmarks has two rows, each with results of its own", async () => {
    const [first, second] = [
      testSkill("same", [{ taskId: "of_first" }]),
      testSkill("same", [{ taskId: "of_second" }]),
    ];
    second.skill.benchmarkId = "another";
    await using view = await open(renderPage([first, second]));

    await view.page.locator(".summary .link").last().click();
    await expect.poll(view.tasks).toEqual(["of_second"]);
    const chosen = view.page.getByRole("combobox", { name: "Skill" });
    await chosen.selectOption({ label: "same on coding-easy" });
    await expect.poll(view.tasks).toEqual(["of_first"]);
    await view.page.getByRole("button", { name: "Skill" }).first().click();
    expect(await view.page.locator(".summary tbody tr").count()).toBe(2);
  });

  test("tokens of a judge of which one part is unknown are unknown, and a tiny cost is no zero", async () => {
    const judge = {
      model: "lab/judge",
      cells: 4,
      failed: 0,
      failureRate: 0,
      calls: 4,
      latencyMs: 900,
      promptTokens: 900,
      completionTokens: null,
      costUsd: 0.00003,
      canaries: null,
    };
    await using view = await open(renderPage([calculator], { judges: [judge] }));

    const row = view.page.locator(".judges tbody tr");
    expect(await row.locator("[data-label=Tokens]").textContent()).toBe("– (the provider did not say)");
    expect(await row.locator("[data-label=Cost]").textContent()).toBe("$0.00003");
  });

  test("a run that failed without its gate says why", async () => {
    await using view = await open(renderPage([calculator], { exitCode: 1 }));

    expect(await view.page.locator("h1").textContent()).toBe("Failed");
    expect(await view.page.locator("header").textContent()).toContain("The triggering pass was skipped");
  });

  test("a row opens to reason, difference, error, output, attempts, judge and stderr", async () => {
    await using view = await open(renderPage([calculator]));
    const button = view.page.getByRole("button", { name: "fails" });

    await button.focus();
    await view.page.keyboard.press("Enter");
    await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
    const failed = view.page.locator(".details");
    expect(await failed.locator(".expected mark").textContent()).toBe("20");
    expect(await failed.locator(".got mark").textContent()).toBe("19");
    expect(await failed.locator("pre").textContent()).toBe('{\n  "result": "119"\n}');
    await view.page.keyboard.press("Enter");
    await expect.poll(() => failed.count()).toBe(0);

    await view.page.getByRole("button", { name: "breaks" }).click();
    const broken = await view.page.locator(".details").textContent();
    expect(broken).toContain("KeyError: 'currency'");
    expect(broken).toContain("2 attempts");
    expect(broken).toContain("error (crash) after 38 ms");
    await view.page.getByRole("button", { name: "unjudged" }).click();
    const unjudged = await view.page.locator(".details").last().textContent();
    expect(unjudged).toContain("Invalid: no verdict");
    expect(unjudged).toContain("openai/gpt-5-mini");
    expect(unjudged).toContain("first line\nsecond line");
    expect(view.misdeeds).toEqual([]);
  });

  test("fault row 37: hostile text stays text, wherever it stands", async () => {
    await using view = await open(hostilePage());

    await view.page.getByRole("button", { name: "Show all" }).click();
    await expect.poll(() => view.page.locator(".summary tbody tr").count()).toBe(hostileTexts.length);
    await pressAll(view.page, ".skill > summary");
    const seen: string[] = [];
    for (let isLast = false; !isLast; ) {
      await pressAll(view.page, ".expand[aria-expanded=false]");
      await expect.poll(() => view.page.locator(".expand[aria-expanded=false]").count()).toBe(0);
      seen.push(...(await view.tasks()));
      expect(await foreignElements(view.page)).toEqual([]);
      isLast = await view.page.locator(".pager button", { hasText: "Next" }).isDisabled();
      if (!isLast) await view.page.locator(".pager button", { hasText: "Next" }).click();
    }

    expect(seen).toEqual(hostileTexts.map(shownId));
    expect(view.misdeeds).toEqual([]);
    expect(await view.page.evaluate(() => "hacked" in window)).toBe(false);
    expect(Object.hasOwn(Object.prototype, "hacked")).toBe(false);
  });

  test("fault row 37: hostile text stays text without script, too", async () => {
    await using view = await open(hostilePage(), { javaScriptEnabled: false });

    expect(await foreignElements(view.page)).toEqual([]);
    expect(await view.page.locator("#plain table").last().isVisible()).toBe(true);
    expect(view.misdeeds).toEqual([]);
  });

  test("without script it is a plain table that says what it leaves out", async () => {
    const many = testSkill(
      "many",
      Array.from(
        { length: 620 },
        (_, n) => ({ taskId: `t${n}`, status: n === 619 ? "fail" : "pass" }) as const,
      ),
    );
    await using view = await open(renderPage([many]), { javaScriptEnabled: false });

    const results = view.page.locator("#plain section", { hasText: "Results" });
    expect(await results.locator("p").textContent()).toContain("The first 500 of 620 results");
    expect(await results.locator("tbody tr").count()).toBe(500);
    expect(await results.locator("tbody tr").first().textContent()).toContain("t619");
    expect(await view.page.locator("#plain").textContent()).toContain("95.0% (86.3–98.3)");
  });

  test("is light or dark as the system asks, and as the reader chooses", async () => {
    await using view = await open(renderPage([calculator]), { colorScheme: "dark" });
    const ground = () => view.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);

    const dark = await ground();
    await view.page.getByRole("button", { name: "light", exact: true }).click();
    const light = await ground();
    expect(brightness(dark)).toBeLessThan(0.2);
    expect(brightness(light)).toBeGreaterThan(0.9);
    await view.page.emulateMedia({ colorScheme: "light" });
    await view.page.getByRole("button", { name: "dark", exact: true }).click();
    expect(await ground()).toBe(dark);
    await view.page.getByRole("button", { name: "system" }).click();
    expect(await ground()).toBe(light);
  });

  test.each([360, 800])("fits a screen %i pixels wide, long names and all", async (width) => {
    const name = "a-very-long-name-without-an-end_".repeat(12);
    const long = testSkill(name, [
      {
        taskId: name,
        tags: [name],
        status: "fail",
        reason: `expected "${name}", got "x"`,
        output: { [name]: name },
      },
    ]);
    await using view = await open(renderPage([calculator, long]), { viewport: { width, height: 740 } });

    await pressAll(view.page, ".skill > summary");
    await pressAll(view.page, ".expand");
    await expect.poll(() => view.page.locator(".details").count()).toBe(7);
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

  test("prints all results in light colours, without what only serves a screen", async () => {
    const many = testSkill(
      "many",
      Array.from({ length: 120 }, (_, n) => ({ taskId: `t${n}` })),
    );
    await using view = await open(renderPage([calculator, many]), { colorScheme: "dark" });
    expect(await view.tasks()).toHaveLength(50);

    await view.page.emulateMedia({ media: "print" });
    await expect.poll(view.tasks).toHaveLength(126);
    expect(await view.page.locator(".tags").first().isVisible()).toBe(true);
    for (const screenOnly of [".filters", ".theme"])
      expect(await view.page.locator(screenOnly).isVisible()).toBe(false);
    const ink = await view.page.evaluate(() => getComputedStyle(document.documentElement).color);
    expect(brightness(ink)).toBeLessThan(0.3);

    await view.page.emulateMedia({ media: "screen" });
    await expect.poll(view.tasks).toHaveLength(50);
  });

  test("finds one among 5,000 results, and turns their pages", async () => {
    const many = testSkill(
      "many",
      Array.from({ length: 5_000 }, (_, n) => ({
        taskId: `task_${n}`,
        output: { n, text: "lorem ipsum ".repeat(5) },
      })),
    );
    await using view = await open(renderPage([many]));
    expect(await view.page.getByRole("status").textContent()).toBe("1–50 of 5,000 results");

    await view.page.getByRole("button", { name: "Last" }).click();
    await expect.poll(async () => (await view.tasks()).at(-1)).toBe("task_4999");
    await view.page.getByRole("searchbox").fill("task_4242");
    await expect.poll(view.tasks).toEqual(["task_4242"]);
    expect(view.misdeeds).toEqual([]);
  });

  test("a report of trigger says its verdict, who judged and why, and what each skill came to", async () => {
    await using view = await open(renderTriggerPage(fullTriggerReport, sampleLines));

    expect(await view.page.locator("h1").textContent()).toBe("No verdict");
    const header = await view.page.locator("header").textContent();
    expect(header).toContain("32 of 41 passed (78.0%), 5 failed, 4 inconclusive");
    expect(header).toContain("Exit code 3: no verdict, since 3 queries are undecided");
    expect(header).toContain("router (lexical), no model configured");
    expect(header).toContain("1 skill below: contract-review");
    const rows = view.page.locator(".triggers tbody tr");
    expect(await rows.count()).toBe(4);
    expect(await rows.first().locator("[data-label=Recall]").textContent()).toContain("100.0% 67.6–100.0");
    expect(await view.page.locator(".skipped").textContent()).toContain(
      "no triggering block (no-block): weather",
    );
    await view.page.getByRole("button", { name: "Recall" }).click();
    expect(await rows.first().textContent()).toContain("slides");
    await view.page.locator(".skill > summary", { hasText: "contract-review" }).click();
    const details = view.page.locator(".trigger-body");
    expect(await details.locator(".metrics tbody th").allTextContents()).toContain("Lexical router");
    expect(await details.locator(".position").count()).toBe(1);
    expect(await view.page.locator("#plain").count()).toBe(0);
    expect(view.misdeeds).toEqual([]);
  });

  test("queries are found, and open to every answer with what an unusable reply would have meant", async () => {
    await using view = await open(renderTriggerPage(fullTriggerReport, sampleLines));

    await view.page.locator(".triggers .link", { hasText: "doc-editor" }).click();
    await expect.poll(view.tasks).toHaveLength(8);
    await view.page.getByRole("button", { name: "Clear filters" }).click();
    await view.page.getByRole("combobox", { name: "Side" }).selectOption({ label: "should_match" });
    await view.page.getByRole("button", { name: "inconclusive 1" }).click();
    await expect.poll(view.tasks).toEqual(["make this module easier to test"]);
    const row = view.page.locator(".queries .cell");
    expect(await row.textContent()).toContain("4 of 8flips");
    expect(await row.locator(".gate-line").getAttribute("x1")).toBe("50.00%");
    await view.page.getByRole("button", { name: "Clear filters" }).click();

    await view.page.getByRole("searchbox").fill("清理");
    await expect.poll(view.tasks).toHaveLength(1);
    await view.page.locator(".queries .expand").click();
    const details = view.page.locator(".details");
    expect(await details.locator(".judgments > li").count()).toBe(8);
    expect(await details.locator(".unusable").first().textContent()).toContain(
      "Decision: yesTo a lenient reader: yes. That informs only and decides nothing.",
    );
    expect(await details.textContent()).toContain("invalid, cause no-verdict");
    await view.page.getByRole("searchbox").fill("把合同排版成两栏");
    await expect.poll(view.tasks).toEqual(["把合同排版成两栏"]);
    await view.page.locator(".queries .expand").click();
    expect(await details.locator(".order").first().textContent()).toContain("4 cards, in the order shown");
    expect(view.misdeeds).toEqual([]);
  });

  test("the confusion matrix tells the requests of a field to pointer and keyboard, and scrolls in its box", async () => {
    await using view = await open(renderTriggerPage(fullTriggerReport, sampleLines));
    const matrix = view.page.getByRole("grid");
    const told = view.page.locator(".looked-at");

    expect(await matrix.locator("tbody th").allTextContents()).toEqual([
      "contract-review",
      "doc-editor",
      "slides",
      "no owner",
    ]);
    expect(await matrix.locator("td.right").count()).toBe(4);
    await matrix.locator("td.wrong:not(.shade-0)").first().hover();
    await expect.poll(() => told.textContent()).toContain("doc-editor was chosen帮我改一下合同第三条的措辞");
    await matrix.locator("td").first().focus();
    await expect.poll(() => told.textContent()).toContain("contract-review was chosen, which is right");
    for (const key of ["End", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"])
      await view.page.keyboard.press(key);
    await expect
      .poll(() => told.textContent())
      .toContain("meant for nobody: nobody was chosen, which is right");
    expect(await matrix.locator("td[tabindex='0']").count()).toBe(1);
  });

  test("a matrix of 100 skills has a field for each pair, fits a phone and is left out on paper", async () => {
    const ids = Array.from({ length: 100 }, (_, n) => `skill-${n}`);
    const rows = ids.map((intended, n) => ({
      intended,
      chosen: { [intended]: 3, [ids[(n + 1) % 100] ?? ""]: 1 },
      none: 0,
      undecided: 0,
    }));
    const confusion = { ...(fullTriggerReport.confusion as ConfusionSummary), rows };
    const html = renderTriggerPage({ ...fullTriggerReport, confusion }, sampleLines);
    await using view = await open(html, { viewport: { width: 400, height: 740 } });

    await pressAll(view.page, ".skill > summary");
    await pressAll(view.page, ".expand");
    await expect.poll(() => view.page.locator(".details").count()).toBe(41);
    expect(await view.page.locator(".matrix td").count()).toBe(100 * 101);
    expect(await view.page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    await view.page.emulateMedia({ media: "print" });
    expect(await view.page.locator(".matrix").isVisible()).toBe(false);
    expect(await view.page.locator(".too-wide").isVisible()).toBe(true);
  });

  test("hostile text of queries, judges and skills stays text", async () => {
    const lines = hostileTexts.map((text) => {
      const line = sampleQuery({
        query: text,
        skillId: text,
        answers: ["other", text],
        tags: [text],
        reason: text,
      });
      const raw = { why: text, raw: text, rawSha256: text, lenientDecision: null };
      const [first, second] = line.judgments;
      if (first === undefined || second === undefined) throw new Error("two answers");
      const invalid = { ...first, ...raw, outcome: "invalid" as const, reasked: [raw], order: [text] };
      return { ...line, judgments: [invalid, { ...second, order: [text] }], judge: hostileJudge(text) };
    });
    const results = lines.map((line) =>
      sampleTriggerResult(line.skillId, [line], { judge: line.judge, notes: [line.query] }),
    );
    const report = sampleTriggerReport(results, { warnings: [...hostileTexts] });
    const rows = hostileTexts.slice(0, 40).map((text) => ({
      intended: text,
      chosen: { [text]: 1 },
      none: 0,
      undecided: 0,
    }));
    const pair = { count: 1, of: 1, rate: 1, interval: null };
    const confusion: ConfusionSummary = {
      rows,
      top1: pair,
      none: pair,
      offTopic: pair,
      worstPairs: hostileTexts.map((text) => ({ ...pair, intended: text, chosen: text })),
    };
    await using view = await open(renderTriggerPage({ ...report, confusion }, lines));

    await pressAll(view.page, ".skill > summary");
    await pressAll(view.page, ".expand");
    await view.page.locator(".matrix td").first().hover();
    expect(await foreignElements(view.page)).toEqual([]);
    expect(view.misdeeds).toEqual([]);
    expect(await view.page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("a report of eval tells of its trigger tests, at first of those that did not pass", async () => {
    const triggering = fullTriggerReport.results.map((result) =>
      sampleEntry(result, [...sampleQueries(result.skillId)]),
    );
    await using view = await open(renderPage([calculator], { triggering }));
    const section = view.page.locator("section", { hasText: "Triggering" });

    expect(await section.locator(".triggers tbody tr").count()).toBe(4);
    expect(await section.locator(".queries .expand").count()).toBe(9);
    await section.getByRole("button", { name: "passed 32" }).click();
    await expect.poll(() => section.locator(".queries .expand").count()).toBe(41);

    await using without = await open(renderPage([calculator]));
    expect(await without.page.locator("#triggering-title").count()).toBe(0);
    expect(view.misdeeds).toEqual([]);
  });

  test("a report of agent eval is a matrix of cells by dimensions, and hostile text in it stays text", async () => {
    const hostile = hostileTexts.map((text) => hostileAgentReport(text));
    const all = [...fullAgentResults, ...hostile.flatMap(({ results }) => [...results()].slice(0, 1))];
    const report = sampleAgentReport(all, { metrics: sampleMetrics, warnings: [...hostileTexts] });
    const html = renderAgentPage(report, agentReader(all));
    await using view = await open(html, { viewport: { width: 400, height: 740 } });
    const { page } = view;
    const showing = page.locator(".showing");

    await page.getByLabel("Search").fill("forbiddenexecuted write_file");
    await expect.poll(() => showing.textContent()).toContain(`1 cell found among ${all.length}`);
    const row = page.locator(".agents .cell");
    expect(await row.locator("td.is-fail .unseen").allTextContents()).toEqual(["fail", "fail"]);
    await row.locator(".expand").click();
    const details = await page.locator(".details").textContent();
    expect(details).toContain("20260203_123456_abcd#12, 20260203_123456_abcd#14 (lines 12–14)");
    expect(details).toContain(" action_executed {");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Dimension that did not pass").selectOption({ label: "streaming: 1 not passed" });
    await expect.poll(() => row.count()).toBe(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "no verdict 1" }).click();
    await expect.poll(() => row.count()).toBe(1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => row.count()).toBe(50);

    await pressAll(page, ".expand");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    expect(await foreignElements(page)).toEqual([]);
    expect(view.misdeeds).toEqual([]);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("a report of planbench has its strata, its repairs and its samples, and hostile text in it stays text", async () => {
    const texts = hostileTexts.filter((_, n) => n % 5 === 0);
    const hostile = texts.map((text) => hostilePlanReport(text));
    const all = [...fullPlanResults, ...hostile.flatMap(({ results }) => [...results()].slice(0, 1))];
    const { gate, exitCode } = fullPlanReport;
    const report = samplePlanReport(all, {
      gate,
      exitCode,
      warnings: [...texts],
      run: { model: "mock" },
    });
    const html = renderPlanPage(report, planReader(all));
    await using view = await open(html, { viewport: { width: 400, height: 740 } });
    const { page } = view;
    const row = page.locator(".samples .cell");

    expect(await page.locator("header").textContent()).toContain("Exit code 3: 1 sample has no outcome");
    expect(await page.locator(".notice-invalid").textContent()).toContain(
      "this measures the bench, not a model",
    );
    expect(await page.locator(".stratum h2").allTextContents()).toEqual([
      ...["Routed cases", "Forced cases", "Fixed cases"],
    ]);
    await page.getByRole("button", { name: "no such cell: ZZ99" }).click();
    await expect.poll(() => row.count()).toBe(1);
    await row.locator(".expand").click();
    expect(await page.locator(".details").textContent()).toContain(
      "not valid, not carried out, 840 ms, 412 tokens",
    );
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByRole("button", { name: "repaired 2" }).click();
    await expect.poll(() => row.count()).toBe(2);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await expect.poll(() => row.count()).toBe(all.length);

    await pressAll(page, ".expand");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400);
    expect(await foreignElements(page)).toEqual([]);
    expect(view.misdeeds).toEqual([]);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });

  test("a report that cannot be read leaves the plain tables, and says so", async () => {
    const html = renderPage([calculator]).replace('"schemaVersion":1', '"schemaVersion":');
    await using view = await open(html);

    expect(await view.page.locator(".fault").textContent()).toContain("Only the plain tables can be shown");
    expect(await view.page.locator("#plain table").first().isVisible()).toBe(true);
  });
});

const calculator = testSkill("my_calc", [
  { taskId: "passes_2", tags: ["math"] },
  { taskId: "passes_10", tags: ["math"] },
  { ...(failures[0] as TaskResult), taskId: "fails" },
  {
    taskId: "breaks",
    status: "error",
    score: 0,
    output: null,
    error: { code: "crash", message: "exit 1" },
    stderrTail: "Traceback\nKeyError: 'currency'",
    attempts: [
      { n: 1, status: "error", code: "crash", latencyMs: 38, message: "exit 1" },
      { n: 2, status: "error", code: "crash", latencyMs: 41, message: "exit 1" },
    ],
  },
  { ...(failures[2] as TaskResult), taskId: "hangs", tags: ["money"] },
  {
    taskId: "unjudged",
    status: "invalid",
    output: "first line\nsecond line",
    error: { code: "judge-unparseable", message: "no usable reply" },
    judge: { model: "openai/gpt-5-mini", calls: 3, latencyMs: 900, usage: null },
  },
]);

/** Every hostile text as everything a report can say in somebody else's words. */
function hostilePage(): string {
  const skills = hostileTexts.map((text) =>
    testSkill(text, [
      {
        taskId: text,
        status: "fail",
        reason: `expected ${JSON.stringify(text)}, got ${text}`,
        output: { [text]: [text], text },
        error: { code: "crash", message: text },
        tags: [text],
        attempts: [{ n: 1, status: "error", code: "crash", latencyMs: 1, message: text }],
        stderrTail: text,
        warnings: [text],
        stray: [text],
        judge: { model: text, calls: 1, latencyMs: 1, usage: null },
      },
    ]),
  );
  return renderPage(skills, {
    warnings: [...hostileTexts],
    files: [...hostileTexts],
    tasks: hostileTexts.map((text) => ({
      id: text,
      description: text,
      input: { [text]: text },
      expected: text,
      isShortened: true,
    })),
    tool: { name: "eval-skills", version: hostileTexts.slice(0, 60).join(" ") },
    gate: { minCompletion: 0.8, on: "point", enforced: true, passed: false, below: [...hostileTexts] },
  });
}

function hostileJudge(text: string): JudgeName {
  return { kind: "catalog", model: text, prompt: text, label: text, why: text };
}

/** Presses all of these at once, as fast as only a test can. */
function pressAll(page: Page, selector: string): Promise<void> {
  return page.evaluate((selector) => {
    for (const element of document.querySelectorAll(selector)) element.click();
  }, selector);
}

/** What the page holds beyond the elements and attributes of our own making. */
function foreignElements(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const ours = new Set(
      (
        "html head meta title style script body div header main section footer h1 h2 h3 p span bdi strong mark " +
        "ul ol li dl dt dd table caption thead tbody tr th td figure figcaption details summary fieldset legend " +
        "label input select option button search nav pre svg g line circle rect path"
      ).split(" "),
    );
    const foreign: string[] = [];
    for (const element of document.querySelectorAll("*")) {
      const name = element.tagName.toLowerCase();
      if (!ours.has(name)) foreign.push(element.outerHTML.slice(0, 200));
      for (const attribute of element.attributes)
        if (/^(on|style$|src|href|action|formaction|srcdoc)/.test(attribute.name))
          foreign.push(`${name} ${attribute.name}=${attribute.value.slice(0, 100)}`);
    }
    if (document.scripts.length !== 2) foreign.push(`${document.scripts.length} scripts`);
    if (document.styleSheets.length !== 1) foreign.push(`${document.styleSheets.length} style sheets`);
    if (document.querySelectorAll("#page, #plain").length > 2) foreign.push("a second page");
    return foreign;
  });
}

function shownId(text: string): string {
  return readableText(text.length > 200 ? `${text.slice(0, 199)}…` : text);
}

/** How bright a computed colour is, 0 to 1. */
function brightness(colour: string): number {
  const parts = colour.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  return parts.reduce((sum, part) => sum + part, 0) / (3 * 255);
}
