import { describe, expect, test } from "vitest";
import type { CellResult, Verdict } from "../contract/result.ts";
import type { ResultFilter } from "../contract/store.ts";
import { collectPages, flattenPages } from "../shared/async/each-of.ts";
import { historyContract } from "./history.contract.ts";
import {
  at,
  cellName,
  end,
  gather,
  hasVerdict,
  newResult,
  newRun,
  openWithRuns,
  readKeys,
  readReason,
  readStatus,
  report,
  type StoreFixture,
} from "./store-ground.ts";

const verdicts = ["pass", "fail", "error", "timeout"] as const;

/** What every store must do. `setUp` prepares an empty record for one test. */
export function storeContract(name: string, setUp: () => Promise<StoreFixture>): void {
  describe(`${name} keeps the contract of a store:`, () => {
    describe("runs", () => {
      test("a new run is found as it was created, running and unfinished", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        const run = { ...newRun("r1"), plan: { options: { runs: 3, tags: ["a", null] } } };

        await store.createRun(run);

        expect(await store.findRun("r1")).toEqual({ ...run, state: "running", finishedAt: null });
      });

      test("a run that was never created is null", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();

        expect(await store.findRun("r1")).toBeNull();
      });

      test("a second run of the same id is refused, and the first stays as it is", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        await store.createRun(newRun("r1"));

        await expect(store.createRun({ ...newRun("r1"), toolVersion: "9.9.9" })).rejects.toThrow();

        expect(await store.findRun("r1")).toMatchObject({ toolVersion: "1.0.0" });
      });

      test.each(["done", "interrupted"] as const)("a run ends as %s, at a time", async (state) => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        await store.createRun(newRun("r1"));

        await store.finishRun("r1", state, [], at(9));

        expect(await store.findRun("r1")).toMatchObject({ state, finishedAt: at(9), startedAt: at(0) });
      });

      test("a run that is taken up again is running and unfinished, with the plan it had", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        await store.createRun({ ...newRun("r1"), plan: { x: 1 } });
        await store.finishRun("r1", "interrupted", [], at(9));

        const reopened = await store.reopenRun("r1");

        expect(reopened).toMatchObject({ id: "r1", state: "running", finishedAt: null, plan: { x: 1 } });
        expect(await store.findRun("r1")).toEqual(reopened);
      });

      test("a complete run can be taken up again and ended again", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        await store.createRun(newRun("r1"));
        await store.finishRun("r1", "done", [report("a")], at(8));

        await store.reopenRun("r1");
        await store.finishRun("r1", "done", [report("a")], at(9));

        expect(await store.findRun("r1")).toMatchObject({ state: "done", finishedAt: at(9) });
      });

      test("the runs before one are known, the newest first, whatever became of them", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        for (const id of ["r1", "r2", "r3"]) await store.createRun(newRun(id));
        await store.finishRun("r1", "done", [], at(9));

        const ids = async (before: string) =>
          (await collectPages(store.earlierRuns(before))).map(({ id }) => id);

        expect([await ids("r3"), await ids("r1"), await ids("nowhere")]).toEqual([["r2", "r1"], [], []]);
      });

      test("a run that is not there cannot be taken up", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();

        await expect(store.reopenRun("r1")).rejects.toThrow("r1");
      });

      test("a run outlives the store object that created it", async () => {
        await using fixture = await setUp();
        {
          await using first = await fixture.open();
          await first.createRun(newRun("r1"));
          await first.finishRun("r1", "interrupted", [], at(9));
        }
        await using second = await fixture.open();

        expect(await second.findRun("r1")).toMatchObject({ state: "interrupted" });
      });
    });

    describe("locks", () => {
      test("a run is refused while another living process has it, and stays with that one", async () => {
        await using fixture = await setUp();
        await using _holder = await fixture.holdElsewhere("r1");
        await using store = await fixture.open();

        await expect(store.reopenRun("r1")).rejects.toMatchObject({ code: "store-unusable" });

        expect(await store.findRun("r1")).toMatchObject({ state: "running" });
        expect(await store.findResumable()).toBeNull();
      });

      test("a run of a process that died is taken over", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        {
          await using _holder = await fixture.holdElsewhere("r1");
        }

        expect(await store.findResumable()).toMatchObject({ id: "r1", state: "running" });
        expect(await store.reopenRun("r1")).toMatchObject({ state: "running" });
      });

      test("the process that has a run may take it up once more", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        await store.createRun(newRun("r1"));

        expect(await store.reopenRun("r1")).toMatchObject({ id: "r1" });
      });
    });

    describe("results", () => {
      test("results come in plan order, whatever order they ended in", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        for (const position of [2, 0, 10, 1]) await end(store, "r1", position);

        expect(await readKeys(store.results("r1", { subject: "skill" }))).toEqual([
          "cell-0",
          "cell-1",
          "cell-2",
          "cell-10",
        ]);
      });

      test("a result is read back as it was given", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const result = {
          ...newResult(0),
          output: { deep: [1, "two", null, { three: 3.5 }] },
          details: { tags: ["x"] },
        };

        await store.cellEnded("r1", 0, result);

        expect(JSON.parse((await store.result("r1", result.key)) ?? "")).toEqual(result);
        expect(
          (await collectPages(store.results("r1", { subject: "skill" }))).map((text) => JSON.parse(text)),
        ).toEqual([result]);
      });

      test("a cell that never ended has no result", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        expect(await store.result("r1", "cell-0")).toBeNull();
        expect(await collectPages(store.results("r1", { subject: "skill" }))).toEqual([]);
      });

      test("results of one skill are not those of another", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        await end(store, "r1", 0, { skillId: "left" });
        await end(store, "r1", 1, { skillId: "right" });

        expect(await readKeys(store.results("r1", { subject: "left" }))).toEqual(["cell-0"]);
        expect(await readKeys(store.results("r1", { subject: "right" }))).toEqual(["cell-1"]);
      });

      test("nothing of one run appears in another, even for equal cells", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "r2");

        await end(store, "r1", 0, { status: "fail" });
        await store.attemptStarted("r1", cellName(0), 1, at(1));

        expect(await store.result("r2", "cell-0")).toBeNull();
        expect(await hasVerdict(store, "r2", "cell-0")).toBe(false);
        expect(await store.startedAttempts("r2", "cell-0")).toEqual([]);
        await end(store, "r2", 0, { status: "pass" });
        expect(await readStatus(store, "r1", 0)).toBe("fail");
        expect(await readStatus(store, "r2", 0)).toBe("pass");
      });

      test.each<Verdict>([...verdicts, "invalid"])(
        "an invalid result gives way to a later %s",
        async (status) => {
          await using fixture = await setUp();
          await using store = await openWithRuns(fixture, "r1");
          await end(store, "r1", 0, { status: "invalid", reason: "first" });

          await end(store, "r1", 0, { status, reason: "second" });

          expect(JSON.parse((await store.result("r1", "cell-0")) ?? "")).toMatchObject({
            status,
            reason: "second",
          });
          expect(await readKeys(store.results("r1", { subject: "skill" }))).toEqual(["cell-0"]);
        },
      );

      test.each(verdicts)("a %s is never replaced", async (status) => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await end(store, "r1", 0, { status });

        await end(store, "r1", 0, { status: status === "pass" ? "fail" : "pass" });
        await end(store, "r1", 0, { status: "invalid" });

        expect(await readStatus(store, "r1", 0)).toBe(status);
      });

      test.each<Verdict>([...verdicts, "invalid"])("a rescored cell replaces a %s", async (status) => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        for (const position of [1, 0]) await end(store, "r1", position, { status, reason: "before" });
        const anew = { status: "pass", score: 0.25, reason: "anew", details: { rules: 2 } } as const;

        await store.cellRescored("r1", newResult(0, anew));

        expect(JSON.parse((await store.result("r1", "cell-0")) ?? "")).toEqual(newResult(0, anew));
        expect(await hasVerdict(store, "r1", "cell-0")).toBe(true);
        expect((await collectPages(store.results("r1"))).map(readReason)).toEqual(["anew", "before"]);
      });

      test("a cell that is rescored as invalid has no verdict any more, and its run can be resumed", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await end(store, "r1", 0, { status: "pass" });
        await store.finishRun("r1", "done", [], at(9));

        await store.cellRescored("r1", newResult(0, { status: "invalid" }));

        expect(await collectPages(store.verdictKeys("r1"))).toEqual([]);
        expect(await store.findResumable()).toMatchObject({ id: "r1" });
      });

      test("rescoring changes no other run, and adds no cell that never ended", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "r2");
        await end(store, "r1", 0, { status: "fail" });
        await end(store, "r2", 0, { status: "fail" });

        await store.cellRescored("r1", newResult(0, { status: "pass" }));
        await store.cellRescored("r1", newResult(1, { status: "pass" }));

        expect(await readStatus(store, "r2", 0)).toBe("fail");
        expect(await readKeys(store.results("r1"))).toEqual(["cell-0"]);
      });

      test("a cell has a verdict when it ended, unless it ended invalid", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        for (const [position, status] of [...verdicts, "invalid" as const].entries()) {
          await end(store, "r1", position, { status });
        }

        const keys = await collectPages(store.verdictKeys("r1"));

        expect(keys.toSorted()).toEqual(["cell-0", "cell-1", "cell-2", "cell-3"]);
      });

      test("results that end together are all acknowledged and all there", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        await Promise.all(Array.from({ length: 700 }, (_, position) => gather(store, "r1", position)));

        expect(await readKeys(store.results("r1", { subject: "skill" }))).toHaveLength(700);
      });

      test("an acknowledged result is seen through another connection at once", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await using other = await fixture.open();

        await end(store, "r1", 0);

        expect(await hasVerdict(other, "r1", "cell-0")).toBe(true);
      });

      test("closing a store writes what is still waiting", async () => {
        await using fixture = await setUp();
        const store = await openWithRuns(fixture, "r1");

        const waiting = [gather(store, "r1", 0), store.attemptStarted("r1", cellName(0), 1, at(1))];
        await store[Symbol.asyncDispose]();
        await Promise.all(waiting);

        await using later = await fixture.open();
        expect(await hasVerdict(later, "r1", "cell-0")).toBe(true);
        expect(await later.startedAttempts("r1", "cell-0")).toEqual([1]);
      });

      test("a flush writes what is still waiting", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        const waiting = gather(store, "r1", 0);
        store.flush();

        expect(await hasVerdict(store, "r1", "cell-0")).toBe(true);
        await waiting;
      });

      test("ending a run writes what is still waiting", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        const waiting = gather(store, "r1", 0);
        await store.finishRun("r1", "interrupted", [], at(9));
        await waiting;

        expect(await hasVerdict(store, "r1", "cell-0")).toBe(true);
      });

      test("a result of a run that does not exist is refused, and the next one is stored", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        await expect(end(store, "nobody", 0)).rejects.toThrow();
        await end(store, "r1", 0);

        expect(await hasVerdict(store, "r1", "cell-0")).toBe(true);
      });

      test("10,000 results are read back in order", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const output = "x".repeat(500);
        const ended = Array.from({ length: 10_000 }, (_, n) => gather(store, "r1", 9_999 - n, { output }));
        await Promise.all(ended);

        let position = 0;
        for await (const text of flattenPages(store.results("r1", { subject: "skill" }))) {
          if ((JSON.parse(text) as CellResult).key !== `cell-${position}`) break;
          position++;
        }

        expect(position).toBe(10_000);
      });

      test("many results come on several pages, and the event loop turns between two of them", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await Promise.all(Array.from({ length: 3000 }, (_, position) => gather(store, "r1", position)));

        for (const read of [
          () => store.results("r1", { subject: "skill" }),
          () => store.results("r1"),
          () => store.verdictKeys("r1"),
        ]) {
          let turns = 0;
          let seen = 0;
          const sizes: number[] = [];
          for await (const page of read()) {
            if (sizes.length > 0) expect(turns).toBeGreaterThan(seen);
            seen = turns;
            setImmediate(() => turns++);
            sizes.push(page.length);
          }
          expect(sizes.length).toBeGreaterThan(1);
          expect(sizes.reduce((sum, size) => sum + size)).toBe(3000);
        }
      });

      test("large results come on small pages", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const output = "x".repeat(500_000);
        for (let position = 0; position < 12; position++) await end(store, "r1", position, { output });

        for (const filter of [{ subject: "skill" }, {}]) {
          const sizes: number[] = [];
          for await (const page of store.results("r1", filter)) sizes.push(page.join("").length);
          expect(Math.max(...sizes)).toBeLessThan(3_000_000);
        }
      });

      test("results of everyone come subject by subject, each in plan order; a filter leaves what it names", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const put = (suite: string, skillId: string, position: number) =>
          store.cellEnded("r1", position, newResult(position, { suite, skillId }));
        const written = [
          put("b", "left", 10),
          put("a", "right", 2),
          put("b", "right", 9),
          put("a", "left", 3),
          put("a", "left", 1),
          put("b", "left", 8),
        ];
        store.flush();
        await Promise.all(written);

        const found = async (filter?: ResultFilter) =>
          (await readKeys(store.results("r1", filter))).map((key) => Number(key.slice("cell-".length)));

        expect(await found()).toEqual([1, 3, 2, 8, 10, 9]);
        expect(await found({ suite: "b" })).toEqual([8, 10, 9]);
        expect(await found({ subject: "left" })).toEqual([1, 3, 8, 10]);
        expect(await found({ subject: "left", suite: "b" })).toEqual([8, 10]);
        expect(await found({ subject: "left", suite: "c" })).toEqual([]);
        expect(await found({ subject: "nobody" })).toEqual([]);
      });

      test("levels, models and arms are distinguished, also where skill and suite are the same", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await end(store, "r1", 0, { level: "trigger" });
        await end(store, "r1", 1, { level: "unit" });
        await end(store, "r1", 2, { level: "agent", skillId: null, model: "small", arm: "installed" });
        await end(store, "r1", 3, { level: "agent", skillId: null, model: "small", arm: "absent" });

        expect(await readKeys(store.results("r1", { level: "unit" }))).toEqual(["cell-1"]);
        expect(await readKeys(store.results("r1", { level: "trigger", subject: "skill" }))).toEqual([
          "cell-0",
        ]);
        expect(await readKeys(store.results("r1", { subject: "small" }))).toEqual(["cell-2"]);
        expect(await readKeys(store.results("r1", { subject: "small (no skills)" }))).toEqual(["cell-3"]);
      });

      test("cells of one position in the plan are all there, also where a page ends between them", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const written = Array.from({ length: 1200 }, (_, n) =>
          store.cellEnded("r1", 7, newResult(n, { suite: n % 2 === 0 ? "a" : "b" })),
        );
        store.flush();
        await Promise.all(written);

        for (const filter of [{ subject: "skill" }, {}])
          expect(new Set(await readKeys(store.results("r1", filter)))).toHaveLength(1200);
        expect(await readKeys(store.results("r1", { subject: "skill", suite: "b" }))).toHaveLength(600);
        expect(new Set(await collectPages(store.verdictKeys("r1")))).toHaveLength(1200);
      });

      test("two readers do not disturb each other", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "r2");
        for (let n = 0; n < 3; n++) await end(store, "r1", n, { reason: "one" });
        for (let n = 0; n < 3; n++) await end(store, "r2", n, { reason: "two" });

        const seen: string[] = [];
        const second = flattenPages(store.results("r2", { subject: "skill" }));
        for await (const text of flattenPages(store.results("r1", { subject: "skill" }))) {
          seen.push(readReason(text), readReason((await second.next()).value));
        }

        expect(seen).toEqual(["one", "two", "one", "two", "one", "two"]);
      });

      test("a reader that stops early keeps nobody from writing", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await end(store, "r1", 0);
        await end(store, "r1", 1);

        for await (const _ of store.results("r1", { subject: "skill" })) break;
        await end(store, "r1", 2);
        await store.finishRun("r1", "done", [], at(9));

        expect(await readKeys(store.results("r1", { subject: "skill" }))).toHaveLength(3);
      });

      test("between two pages others write and finish runs, also through another connection", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "r2");
        await using other = await fixture.open();
        await Promise.all(Array.from({ length: 2000 }, (_, position) => gather(store, "r1", position)));

        let pages = 0;
        let read = 0;
        for await (const page of store.results("r1", { subject: "skill" })) {
          await end(other, "r2", pages++);
          await end(store, "r1", 5000 + pages, { skillId: "other" });
          if (pages === 2) await other.finishRun("r2", "done", [], at(9));
          read += page.length;
        }

        expect(read).toBe(2000);
        expect(await collectPages(store.verdictKeys("r2"))).toHaveLength(pages);
      });

      test("results may be written while others are read", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        for (let n = 0; n < 5; n++) await end(store, "r1", n);

        let count = 0;
        for await (const _ of flattenPages(store.results("r1", { subject: "skill" }))) {
          await end(store, "r1", 100 + count, { skillId: "other" });
          count++;
        }

        expect(count).toBe(5);
        expect(await readKeys(store.results("r1", { subject: "other" }))).toHaveLength(5);
      });
    });

    describe("attempts", () => {
      test("attempts that began are known, in order, also through another connection", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        await using other = await fixture.open();

        for (const n of [1, 2, 10, 3]) await store.attemptStarted("r1", cellName(0), n, at(n));

        expect(await store.startedAttempts("r1", "cell-0")).toEqual([1, 2, 3, 10]);
        expect(await other.startedAttempts("r1", "cell-0")).toEqual([1, 2, 3, 10]);
        expect(await store.startedAttempts("r1", "cell-1")).toEqual([]);
      });

      test("an attempt of a run that does not exist is refused", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();

        await expect(store.attemptStarted("nobody", cellName(0), 1, at(1))).rejects.toThrow();
      });
    });

    describe("what to resume", () => {
      test("an empty record has nothing to resume", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();

        expect(await store.findResumable()).toBeNull();
      });

      test("a run of our own that is under way is not to be resumed", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");

        expect(await store.findResumable()).toBeNull();
      });

      test("where every run is done, it is the newest that is meant: only its reports are written again", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "r2", "r3");
        for (const id of ["r3", "r1", "r2"]) await store.finishRun(id, "done", [], at(9));

        expect(await store.findResumable()).toMatchObject({ id: "r3", state: "done" });
        expect(await store.findResumable(({ id }) => id !== "r3")).toMatchObject({ id: "r2" });
      });

      test("an interrupted run comes before a newer one with invalid cells, and that before a newer one that is done", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "interrupted", "invalid", "done");
        await end(store, "invalid", 0, { status: "invalid" });
        await store.finishRun("interrupted", "interrupted", [], at(9));
        for (const id of ["invalid", "done"]) await store.finishRun(id, "done", [], at(9));

        expect(await store.findResumable()).toMatchObject({ id: "interrupted" });
        expect(await store.findResumable(({ id }) => id !== "interrupted")).toMatchObject({ id: "invalid" });
      });

      test("the interrupted run that was created last is resumed, whatever the clock said or which ended last", async () => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        for (const [id, minute] of [
          ["z-first", 5],
          ["m-second", 9],
          ["a-third", 1],
        ] as const) {
          await store.createRun({ ...newRun(id), startedAt: at(minute) });
        }
        for (const id of ["a-third", "m-second", "z-first"])
          await store.finishRun(id, "interrupted", [], at(9));

        expect(await store.findResumable()).toMatchObject({ id: "a-third", state: "interrupted" });
      });

      test("a run that is done and has an invalid cell is resumed, until the cell has its verdict", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1", "newer");
        await end(store, "r1", 0, { status: "invalid" });
        await end(store, "r1", 1, { status: "pass" });
        for (const id of ["r1", "newer"]) await store.finishRun(id, "done", [], at(9));

        expect(await store.findResumable()).toMatchObject({ id: "r1", state: "done" });
        await store.reopenRun("r1");
        await end(store, "r1", 0, { status: "pass" });
        await store.finishRun("r1", "done", [], at(10));
        expect(await store.findResumable()).toMatchObject({ id: "newer" });
      });
    });

    describe("reports", () => {
      test("a run is not finished when one of its reports cannot be written", async () => {
        await using fixture = await setUp();
        await using store = await openWithRuns(fixture, "r1");
        const unwritable = { ...report("b"), trials: 1n as unknown as number };

        await expect(store.finishRun("r1", "done", [report("a"), unwritable], at(9))).rejects.toThrow();

        expect(await store.findRun("r1")).toMatchObject({ state: "running", finishedAt: null });
        await store.finishRun("r1", "done", [report("a"), report("b")], at(10));
        expect(await store.findRun("r1")).toMatchObject({ state: "done", finishedAt: at(10) });
      });
    });

    historyContract(setUp);

    describe("hostile text", () => {
      test.each(hostileTexts)("%j survives in every field", async (text) => {
        await using fixture = await setUp();
        await using store = await fixture.open();
        const id = Buffer.from(text.replaceAll("\0", "")).toString(); // ids of ours have no NUL and are whole UTF-8
        const plan = { [text]: text, list: [text] };
        const result: CellResult = {
          ...newResult(0),
          caseId: text,
          skillId: id,
          key: id,
          suite: text,
          model: text,
          reason: text,
          output: { [text]: text },
          cause: "crash",
          warnings: [text],
          details: { [text]: [text] },
          attempts: [{ n: 1, status: "error", code: "crash", latencyMs: 1, message: text }],
          stderrTail: text,
          stray: [text],
        };

        await store.createRun({ ...newRun(id), plan });
        await store.attemptStarted(id, { ...cellName(0), key: id, caseId: text }, 1, at(1));
        await store.cellEnded(id, 0, result);
        await store.finishRun(id, "interrupted", [{ ...report(id), suite: text }], at(2));

        expect(await store.findRun(id)).toMatchObject({ id, plan });
        expect(await store.startedAttempts(id, id)).toEqual([1]);
        expect(
          (await collectPages(store.results(id, { subject: id }))).map((stored) => JSON.parse(stored)),
        ).toEqual([result]);
      });
    });
  });
}

const hostileTexts = [
  "'; DROP TABLE results; --",
  "\"quotes\" 'and' `ticks` \\ \\\\ \\u0000",
  "line\nbreak\r\n\ttab\u2028\u2029",
  "nul\0inside",
  "lone \ud800 surrogate",
  "🧪 ünï 中文 \u202eright to left",
  "<script>alert(1)</script> ]]> {{7*7}} =cmd() \u001b[31m",
  "__proto__",
  "%_?1 :name @name $1 ??",
  "x".repeat(100_000),
];
