import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFaults, failEveryOperation } from "../../test/failing-disk.ts";
import { sampleSkills, sampleSuite } from "../../test/sample-suite.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Store } from "../contract/store.ts";
import { sampleResult } from "../store/samples.ts";
import { type SpoolOptions, spoolCells } from "./spooled-cells.ts";

const texts: Record<string, string[]> = {
  "alpha left": ["{}", '{"a":1}', JSON.stringify("line\nbreak \u2028 🧪 \ud800")],
  "alpha right": [JSON.stringify("x".repeat(300_000)), "1", JSON.stringify("ü".repeat(70_000))],
  "beta right": Array.from({ length: 5000 }, (_, n) => JSON.stringify({ n, text: "y".repeat(n % 90) })),
  "beta empty": [],
};
const suites = [
  sampleSuite({ id: "alpha", skills: sampleSkills("left", "right") }),
  sampleSuite({ id: "beta", skills: sampleSkills("empty", "right") }),
];

/** Gives a few results at a time. */
const store: Pick<Store, "results"> = {
  async *results(_, { level, suite, subject } = {}) {
    const all = level === "unit" ? (texts[`${suite} ${subject}`] ?? []) : [];
    for (let at = 0; at < all.length; at += 400) yield all.slice(at, at + 400);
  },
};

const spool = (options: SpoolOptions) => spoolCells(store, "r1", suites, options);

describe.each([
  ["in memory", Number.POSITIVE_INFINITY],
  ["in a file from the first on", 0],
  ["in a file after a while", 400_000],
])("results %s", (_, maxCharsInMemory) => {
  test("are read as they were stored, by suite and skill, as often as asked and beside each other", async () => {
    await using folder = await temporaryFolder();
    using cells = await spool({ maxCharsInMemory, folder: folder.path });

    for (const { id, subjects } of suites)
      for (const { skillId } of [...subjects, ...subjects])
        expect([...cells.read({ suite: id, subject: skillId })]).toEqual(texts[`${id} ${skillId}`]);
    const beside = cells.read({ suite: "alpha", subject: "right" })[Symbol.iterator]();
    for (const text of cells.read({ suite: "beta", subject: "right" })) {
      if (!beside.next().done) expect(text.length).toBeGreaterThan(0);
    }
    for (const text of cells.read({ suite: "beta", subject: "right" })) if (text.includes('"n":7')) break;
    expect([...cells.read({ suite: "beta", subject: "left" })]).toEqual([]);
    expect([...cells.read({ suite: "gamma", subject: "right" })]).toEqual([]);
    expect([...cells.read({ level: "trigger" })]).toEqual([]);
  });

  test("are read suite by suite and subject by subject; a filter leaves what it names", async () => {
    await using folder = await temporaryFolder();
    using cells = await spool({ maxCharsInMemory, folder: folder.path });
    const { "alpha left": left = [], "alpha right": right = [], "beta right": beta = [] } = texts;

    expect([...cells.read()]).toEqual([...left, ...right, ...beta]);
    expect([...cells.read({ level: "unit", suite: "alpha" })]).toEqual([...left, ...right]);
    expect([...cells.read({ subject: "right" })]).toEqual([...right, ...beta]);
  });

  test("leave nothing behind", async () => {
    await using folder = await temporaryFolder();
    const cells = await spool({ maxCharsInMemory, folder: folder.path });
    cells[Symbol.dispose]();
    cells[Symbol.dispose]();

    expect(readdirSync(folder.path)).toEqual([]);
  });
});

test.skipIf(process.platform === "win32")(
  "the file has no name while it is used: a killed process leaves nothing",
  async () => {
    await using folder = await temporaryFolder();
    using cells = await spool({ maxCharsInMemory: 0, folder: folder.path });

    expect(readdirSync(folder.path)).toEqual([]);
    expect([...cells.read({ suite: "beta", subject: "right" })]).toHaveLength(5000);
  },
);

test.each(diskFaults)(
  "fault row 3: %s at any operation names the temporary folder, and leaves nothing",
  async (fault) => {
    await using folder = await temporaryFolder();

    const operations = await failEveryOperation(fault, async (disk) => {
      try {
        using cells = await spool({ disk, maxCharsInMemory: 0, folder: folder.path });
        expect([...cells.read({ suite: "beta", subject: "right" })]).toEqual(texts["beta right"]);
      } catch (error) {
        expect(error).toMatchObject({
          code: "output-unwritable",
          path: folder.path,
          hint: expect.stringContaining("TMPDIR"),
        });
      }
      expect(readdirSync(folder.path)).toEqual([]);
    });

    expect(operations).toBeGreaterThan(10);
  },
);

test("a temporary folder that is not there is named", async () => {
  await using folder = await temporaryFolder();
  const missing = join(folder.path, "missing");

  await expect(spool({ maxCharsInMemory: 0, folder: missing })).rejects.toMatchObject({
    code: "output-unwritable",
    path: missing,
  });
  expect(existsSync(missing)).toBe(false);
});

test("a cell is spooled as its suite shows it, where that is less than what is stored", async () => {
  const stored = [sampleResult({ key: "a", output: "long" }), sampleResult({ key: "b", output: "longer" })];
  const one: Pick<Store, "results"> = {
    async *results() {
      yield stored.map((result) => JSON.stringify(result));
    },
  };
  const suite = sampleSuite({}, { shown: (result) => ({ ...result, output: null }) });

  using cells = await spoolCells(one, "r1", [suite]);

  const shown = stored.map((result) => ({ ...result, output: null }));
  expect([...cells.read()].map((text) => JSON.parse(text))).toEqual(shown);
});

test("results that cannot be read leave nothing behind", async () => {
  await using folder = await temporaryFolder();
  const broken: Pick<Store, "results"> = {
    async *results(...args) {
      yield* store.results(...args);
      throw new Error("no such page");
    },
  };

  const spooling = spoolCells(broken, "r1", suites, { maxCharsInMemory: 0, folder: folder.path });

  await expect(spooling).rejects.toThrow("no such page");
  expect(readdirSync(folder.path)).toEqual([]);
});
