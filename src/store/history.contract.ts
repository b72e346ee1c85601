import { describe, expect, test } from "vitest";
import type { ReportFilter } from "../contract/store.ts";
import { collectPages } from "../shared/async/each-of.ts";
import {
  at,
  cellName,
  end,
  finish,
  hasVerdict,
  openWithRuns,
  readKeys,
  report,
  type StoreFixture,
} from "./store-ground.ts";

/** What every store must know of runs that ended, and remove when pruned. */
export function historyContract(setUp: () => Promise<StoreFixture>): void {
  describe("finished reports", () => {
    test("an empty record has none", async () => {
      await using fixture = await setUp();
      await using store = await fixture.open();

      expect(await collectPages(store.finishedReports())).toEqual([]);
    });

    test("they are reported newest first, with their run and everything they were stored with", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "z-old", "a-new");
      await finish(store, "a-new", 9, report("skill"));
      await finish(store, "z-old", 5, report("skill"));

      const found = await collectPages(store.finishedReports());

      expect(found.map(({ runId }) => runId)).toEqual(["a-new", "z-old"]);
      expect(found[0]).toEqual({ subject: report("skill"), finishedAt: at(9), runId: "a-new" });
    });

    test("of two done in one instant the run created later is the newer; skills of a run are ordered by name", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "z-first", "a-second");
      await finish(store, "z-first", 5, report("b"), report("a"));
      await finish(store, "a-second", 5, report("a"));

      const found = await collectPages(store.finishedReports());

      expect(found.map(({ runId, subject }) => `${runId} ${subject.skillId}`)).toEqual([
        "a-second a",
        "z-first a",
        "z-first b",
      ]);
    });

    test("only runs that are done count", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "interrupted", "resumed", "done");
      await store.finishRun("interrupted", "interrupted", [report("skill")], at(3));
      await finish(store, "resumed", 4, report("skill"));
      await store.reopenRun("resumed");
      await finish(store, "done", 5, report("skill"));

      expect((await collectPages(store.finishedReports())).map(({ runId }) => runId)).toEqual(["done"]);
    });

    test("a filter leaves what it names, and the newest of each pair", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "r1", "r2", "r3");
      await finish(store, "r1", 1, report("a"), report("b"));
      await finish(store, "r2", 2, report("a"), report("a", "other"));
      await finish(store, "r3", 3, report("a", "other"));
      const ask = async (filter: ReportFilter) => {
        const found = await collectPages(store.finishedReports(filter));
        return found.map(({ runId, subject: { skillId, suite } }) => `${runId} ${skillId} ${suite}`);
      };

      expect(await ask({ subject: "b" })).toEqual(["r1 b bench"]);
      expect(await ask({ suite: "other" })).toEqual(["r3 a other", "r2 a other"]);
      expect(await ask({ subject: "a", suite: "bench" })).toEqual(["r2 a bench", "r1 a bench"]);
      expect(await ask({ isLatestOnly: true })).toEqual(["r3 a other", "r2 a bench", "r1 b bench"]);
      expect(await ask({ subject: "nobody" })).toEqual([]);
    });

    test("a subject has one report per level, model and arm, and a filter may name its level", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "r1");
      const agent = { ...report("a"), level: "agent", skillId: null, model: "small" };
      await finish(
        store,
        "r1",
        1,
        report("a"),
        { ...report("a"), level: "trigger" },
        { ...agent, arm: "installed" },
        { ...agent, arm: "absent" },
      );
      const ask = async (filter: ReportFilter) => {
        const found = await collectPages(store.finishedReports({ isLatestOnly: true, ...filter }));
        return found.map(({ subject: { level, skillId, model, arm } }) =>
          [level, skillId ?? model, arm].join(" "),
        );
      };

      expect(await ask({ level: "trigger" })).toEqual(["trigger a "]);
      expect(await ask({ subject: "a" })).toEqual(["trigger a ", "unit a "]);
      expect(await ask({ level: "agent" })).toEqual(["agent small installed", "agent small absent"]);
    });

    test("many come on several pages, and what is pruned between two of them is left out", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "old", "new");
      const reports = Array.from({ length: 1500 }, (_, n) => report(`skill-${String(n).padStart(4, "0")}`));
      await finish(store, "old", 1, ...reports);
      await finish(store, "new", 2, ...reports);

      const seen: string[] = [];
      let pages = 0;
      for await (const page of store.finishedReports()) {
        seen.push(...page.map(({ runId, subject }) => `${runId} ${subject.skillId}`));
        if (++pages === 1) await store.prune({ before: at(2), isDryRun: false });
      }

      expect(pages).toBeGreaterThan(1);
      expect(seen).toEqual(reports.map(({ skillId }) => `new ${skillId}`));
    });

    test("a reader that stops early keeps nobody from writing", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "r1", "r2");
      await finish(store, "r1", 1, report("a"), report("b"));

      for await (const _ of store.finishedReports()) break;
      await finish(store, "r2", 2, report("a"));

      expect(await collectPages(store.finishedReports())).toHaveLength(3);
    });
  });

  describe("pruning", () => {
    test("runs done before the time go with all that is theirs, the others stay whole", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "old", "new");
      for (const id of ["old", "new"]) {
        await store.attemptStarted(id, cellName(0), 1, at(1));
        await end(store, id, 0);
      }
      await finish(store, "old", 4, report("skill"));
      await finish(store, "new", 5, report("skill"));

      const pruned = await store.prune({ before: at(5), isDryRun: false });

      expect(pruned).toMatchObject({ runs: 1, keptUnfinished: 0 });
      expect(await store.findRun("old")).toBeNull();
      expect(await collectPages(store.results("old", { subject: "skill" }))).toEqual([]);
      expect(await store.startedAttempts("old", "cell-0")).toEqual([]);
      expect(await readKeys(store.results("new", { subject: "skill" }))).toEqual(["cell-0"]);
      expect(await store.startedAttempts("new", "cell-0")).toEqual([1]);
      expect((await collectPages(store.finishedReports())).map(({ runId }) => runId)).toEqual(["new"]);
    });

    test("a run whose place another took goes alone, with all that is its own", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "replaced", "other");
      for (const id of ["replaced", "other"]) void end(store, id, 0);
      await finish(store, "other", 4, report("skill"));

      await store.removeRun("replaced");

      expect(await store.findRun("replaced")).toBeNull();
      expect(await readKeys(store.results("replaced", {}))).toEqual([]);
      expect(await readKeys(store.results("other", {}))).toEqual(["cell-0"]);
    });

    test("a dry run reports the same and changes nothing", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "old");
      await end(store, "old", 0, { output: "x".repeat(100_000) });
      await finish(store, "old", 4, report("skill"));

      const pruned = await store.prune({ before: at(5), isDryRun: true });

      expect(pruned.runs).toBe(1);
      expect(pruned.bytesFreed).toBeGreaterThan(90_000);
      expect(await store.findRun("old")).not.toBeNull();
      expect(await readKeys(store.results("old", { subject: "skill" }))).toEqual(["cell-0"]);
    });

    test("runs that are not done are kept and counted, whoever works on them", async () => {
      await using fixture = await setUp();
      await using _holder = await fixture.holdElsewhere("running");
      await using store = await openWithRuns(fixture, "interrupted", "ours");
      await store.finishRun("interrupted", "interrupted", [], at(1));

      const pruned = await store.prune({ before: "9999-01-01T00:00:00.000Z", isDryRun: false });

      expect(pruned).toMatchObject({ runs: 0, keptUnfinished: 3 });
      expect(await store.findRun("running")).not.toBeNull();
      await store.reopenRun("interrupted");
    });

    test("without a time nothing goes", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "r1");
      await finish(store, "r1", 1, report("skill"));

      expect(await store.prune({ before: null, isDryRun: false })).toMatchObject({ runs: 0 });
      expect(await store.findRun("r1")).not.toBeNull();
    });

    test("the space of what was removed is freed, and the store goes on", async () => {
      await using fixture = await setUp();
      await using store = await openWithRuns(fixture, "old", "new");
      await end(store, "old", 0, { output: "x".repeat(500_000) });
      await finish(store, "old", 4, report("skill"));

      const { bytesFreed } = await store.prune({ before: at(5), isDryRun: false });
      await end(store, "new", 0);

      expect(bytesFreed).toBeGreaterThan(400_000);
      expect(await hasVerdict(store, "new", "cell-0")).toBe(true);
    });
  });
}
