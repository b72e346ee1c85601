import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFaults, failEveryOperation } from "../../test/failing-disk.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { Store } from "../contract/store.ts";
import { type SpoolOptions, spoolCells, withSpooledCells } from "./spooled-cells.ts";

const texts: Record<string, string[]> = {
  "alpha left": ["{}", '{"a":1}', JSON.stringify("line\nbreak \u2028 🧪 \ud800")],
  "alpha right": [JSON.stringify("x".repeat(300_000)), "1", JSON.stringify("ü".repeat(70_000))],
  "beta right": Array.from({ length: 5000 }, (_, n) => JSON.stringify({ n, text: "y".repeat(n % 90) })),
  "beta empty": [],
};
const suites = [
  { suiteId: "alpha", skillIds: ["left", "right"] },
  { suiteId: "beta", skillIds: ["empty", "right"] },
];

/** Gives a few results at a time. */
const store: Pick<Store, "results"> = {
  async *results(_, { skillId, suiteId } = {}) {
    const all = texts[`${suiteId} ${skillId}`] ?? [];
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

    for (const { suiteId, skillIds } of suites)
      for (const skillId of [...skillIds, ...skillIds])
        expect([...cells.texts(suiteId, skillId)]).toEqual(texts[`${suiteId} ${skillId}`]);
    const beside = cells.texts("alpha", "right")[Symbol.iterator]();
    for (const text of cells.texts("beta", "right")) {
      if (!beside.next().done) expect(text.length).toBeGreaterThan(0);
    }
    for (const text of cells.texts("beta", "right")) if (text.includes('"n":7')) break;
    expect([...cells.texts("beta", "left")]).toEqual([]);
    expect([...cells.texts("gamma", "right")]).toEqual([]);
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
    expect([...cells.texts("beta", "right")]).toHaveLength(5000);
  },
);

test.each(diskFaults)(
  "fault row 3: %s at any operation names the temporary folder, and leaves nothing",
  async (fault) => {
    await using folder = await temporaryFolder();

    const operations = await failEveryOperation(fault, async (disk) => {
      try {
        using cells = await spool({ disk, maxCharsInMemory: 0, folder: folder.path });
        expect([...cells.texts("beta", "right")]).toEqual(texts["beta right"]);
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

test("what is reported over results can read them until it is disposed of; a report that fails lets them go", async () => {
  await using folder = await temporaryFolder();
  const options = { maxCharsInMemory: 0, folder: folder.path };

  {
    using done = await withSpooledCells(store, "r1", suites, options, async (cells) => ({ cells }));
    expect([...done.cells.texts("alpha", "left")]).toEqual(texts["alpha left"]);
  }
  const failing = withSpooledCells(store, "r1", suites, options, async () => {
    throw new Error("no report");
  });

  await expect(failing).rejects.toThrow("no report");
  expect(readdirSync(folder.path)).toEqual([]);
});
