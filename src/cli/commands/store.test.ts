import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedCli } from "../../../test/captured-world.ts";
import { writeHistory } from "../../../test/sample-history.ts";
import { systemClock } from "../../shared/async/clock.ts";
import { openCache } from "../../store/open-cache.ts";
import { sampleResult } from "../../store/samples.ts";
import { openSqliteStore } from "../../store/sqlite.ts";

async function openProject() {
  const cli = await capturedCli();
  const path = join(cli.cwd, "eval-skills.db");
  await writeHistory(path, [
    { minute: 1, rates: { a: 1 } },
    { minute: 2, rates: { a: 1 }, state: "interrupted" },
    { minute: 3, rates: { a: 1 } },
  ]);
  await using store = await openSqliteStore(path);
  await store.reopenRun("run-1");
  await store.cellEnded("run-1", 0, sampleResult({ output: "x".repeat(300_000) }));
  await store.finishRun("run-1", "done", [], "2026-03-01T00:01:00.000Z");
  const left = async () => {
    const { document } = await cli.run(["history", "--json"]);
    return document.rows.map(({ runId }: { runId: string }) => runId);
  };
  return { ...cli, path, left };
}

test("a dry run tells what would go and removes nothing", async () => {
  await using project = await openProject();

  const argv = ["store", "prune", "--before", "2026-03-01T00:02:30Z", "--dry-run"];
  const { document } = await project.run([...argv, "--json"]);

  expect(document).toEqual({
    schemaVersion: 1,
    command: "store prune",
    removed: { runs: 1, vectors: 0, cache: 0 },
    bytesFreed: expect.any(Number),
  });
  expect(document.bytesFreed).toBeGreaterThan(200_000);
  expect((await project.run(argv)).stdout).toMatch(/^would remove 1 run, about \d+\.\d KB freed\n$/);
  expect(await project.left()).toEqual(["run-3", "run-1"]);
});

test("old finished runs go, and the file is smaller by what is reported; unfinished ones are kept and named", async () => {
  await using project = await openProject();
  const before = statSync(project.path).size;

  const { document, stderr, exitCode } = await project.run([
    ...["store", "prune", "--before", "2026-03-01T00:02:30Z", "--store", "eval-skills.db", "--json"],
  ]);

  expect(exitCode).toBe(0);
  expect(document.removed).toEqual({ runs: 1, vectors: 0, cache: 0 });
  expect(document.bytesFreed).toBe(before - statSync(project.path).size);
  expect(document.bytesFreed).toBeGreaterThan(200_000);
  expect(stderr).toContain("kept 1 older run");
  expect(await project.left()).toEqual(["run-3"]);
});

test("without a date no run goes", async () => {
  await using project = await openProject();

  const { stdout, stderr } = await project.run(["store", "prune"]);

  expect(stdout).toMatch(/^removed 0 runs/);
  expect(stderr).toContain("--before");
  expect(await project.left()).toHaveLength(2);
});

test("vectors and replies go 30 days after their last use, with --before also those last used before it", async () => {
  await using cli = await capturedCli();
  const path = join(cli.cwd, "eval-skills.db");
  const key = { model: "m", dim: 1 };
  const dayMs = 24 * 60 * 60 * 1000;
  const fill = async (name: string, daysAgo: number) => {
    const clock = { ...systemClock, now: () => Date.now() - daysAgo * dayMs };
    await using cache = await openCache(path, { clock });
    cache.keepVectors(key, new Map([[name, Float32Array.of(1)]]));
    cache.keepReply(name, "m", { text: "", finishReason: "stop", usage: null, latencyMs: 1 });
    cache.keepFloor({ ...key, catalog: name, probes: "p", script: "han" }, { lo: 0, sigma: 1 });
  };
  await fill("old", 31);
  await fill("recent", 3);
  const left = async () => {
    await using cache = await openCache(path);
    return {
      vectors: [...cache.vectors(key, ["old", "recent"]).keys()],
      replies: ["old", "recent"].filter((name) => cache.reply(name) !== null),
      floors: ["old", "recent"].filter(
        (name) => cache.floor({ ...key, catalog: name, probes: "p", script: "han" }) !== null,
      ),
    };
  };

  expect((await cli.run(["store", "prune", "--dry-run"])).stdout).toMatch(
    /^would remove 0 runs, 1 vector, 1 cached reply, about /,
  );
  const { document } = await cli.run(["store", "prune", "--before", "2020-01-01", "--json"]);
  expect(document.removed).toEqual({ runs: 0, vectors: 1, cache: 1 });
  expect(await left()).toEqual({ vectors: ["recent"], replies: ["recent"], floors: ["recent"] });

  await fill("recent", 3); // looking at it just now was a use
  const yesterday = new Date(Date.now() - dayMs).toISOString();
  const later = await cli.run(["store", "prune", "--before", yesterday, "--json"]);
  expect(later.document.removed).toEqual({ runs: 0, vectors: 1, cache: 1 });
  expect(await left()).toEqual({ vectors: [], replies: [], floors: [] });
});

test("without a store there is nothing to do, and none is created", async () => {
  await using cli = await capturedCli();

  const { document, exitCode } = await cli.run(["store", "prune", "--before", "2026-01-01", "--json"]);

  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ removed: { runs: 0, vectors: 0, cache: 0 }, bytesFreed: 0 });
  expect(existsSync(join(cli.cwd, "eval-skills.db"))).toBe(false);
});

test.each([
  [["prune", "--before", "2026-13-40"], "usage", "store prune"],
  [["prune", "--before", "last week"], "usage", "store prune"],
  [["prune", "--store", "gone.db"], "store-unusable", "store prune"],
  [["prune", "--store", "."], "store-unusable", "store prune"],
  [["prun"], "usage", "store"],
  [[], "usage", "store"],
])("store %j is exit 2 with %s", async (argv, code, command) => {
  await using cli = await capturedCli();

  const { exitCode, document } = await cli.run(["store", ...argv, "--json"]);

  expect([exitCode, document.error.code, document.command]).toEqual([2, code, command]);
});
