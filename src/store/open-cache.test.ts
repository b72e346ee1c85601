import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { type Clock, systemClock } from "../shared/async/clock.ts";
import { type Database, openDatabase } from "../shared/files/sqlite-driver.ts";
import { cacheContract, calibrationFixture, replyFixture } from "./cache.contract.ts";
import { memoryCache } from "./memory-cache.ts";
import { earlierApplicationId } from "./migrations.ts";
import { openCache } from "./open-cache.ts";

cacheContract("memory", async () => ({
  open: async () => memoryCache(),
  async [Symbol.asyncDispose]() {},
}));

cacheContract("sqlite", async () => {
  const folder = await temporaryFolder();
  return {
    open: () => openCache(join(folder.path, "store.db")),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
});

const key = { model: "m", dim: 2 };
const floorKey = { ...key, catalog: "c", probes: "p", script: "han" } as const;
const one = new Map([["a", Float32Array.of(1, 2)]]);

function clockAt(time: string): Clock {
  return { ...systemClock, now: () => Date.parse(time) };
}

async function change(path: string, work: (database: Database) => void): Promise<void> {
  const database = await openDatabase(path);
  try {
    work(database);
  } finally {
    database.close();
  }
}

/** A folder with a store that holds one of everything, and the warnings. */
async function filledStore(time = "2026-03-01T00:00:00.000Z") {
  const folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  const warnings: string[] = [];
  const open = (at = time) =>
    openCache(path, { clock: clockAt(at), patienceMs: 10, warn: (text) => warnings.push(text) });
  {
    await using cache = await open();
    cache.keepVectors(key, one);
    cache.keepFloor(floorKey, { lo: 0.5, sigma: 0.1 });
    cache.keepReply("k", "m", replyFixture);
    cache.keepCalibration(calibrationFixture);
  }
  return { folder: folder.path, path, warnings, open, [Symbol.asyncDispose]: folder[Symbol.asyncDispose] };
}

test("what was stored is there after a restart, in the one file", async () => {
  await using at = await filledStore();

  await using cache = await at.open();

  expect(cache.vectors(key, ["a"])).toEqual(one);
  expect(cache.floor(floorKey)).toEqual({ lo: 0.5, sigma: 0.1 });
  expect(cache.reply("k")).toEqual(replyFixture);
  expect(cache.calibration(calibrationFixture)).toEqual(calibrationFixture);
  expect(readdirSync(at.folder).filter((name) => !/-(wal|shm)$/.test(name))).toEqual(["store.db"]);
});

test("vectors are in the file as little-endian 32-bit floats", async () => {
  await using at = await filledStore();

  await change(at.path, (database) => {
    const row = database.prepare("SELECT vector FROM routing_vectors").get();
    expect(Buffer.from(row?.vector as Uint8Array).toString("hex")).toBe("0000803f00000040");
  });
});

test("a row that is damaged counts as missing, and can be stored again", async () => {
  await using at = await filledStore();
  await change(at.path, (database) => {
    database.exec("UPDATE routing_vectors SET vector = x'000080'");
    database.exec("UPDATE judge_replies SET reply = '{\"text\":'");
    database.exec("UPDATE judge_calibrations SET calibration = '{}'");
  });

  await using cache = await at.open();
  expect(cache.vectors(key, ["a"]).size).toBe(0);
  expect(cache.reply("k")).toBeNull();
  expect(cache.calibration(calibrationFixture)).toBeNull();
  cache.keepVectors(key, one);
  cache.keepReply("k", "m", replyFixture);

  expect(cache.vectors(key, ["a"])).toEqual(one);
  expect(cache.reply("k")).toEqual(replyFixture);
});

test("eight that meet at a store which does not exist yet all keep theirs", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");

  const caches = await Promise.all(Array.from({ length: 8 }, () => openCache(path)));
  for (const [n, cache] of caches.entries())
    cache.keepVectors(key, new Map([[`d${n}`, Float32Array.of(n, n)]]));

  for (const cache of caches)
    expect(cache.vectors(key, ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"]).size).toBe(8);
  for (const cache of caches) await cache[Symbol.asyncDispose]();
});

test("while another holds the file what was learned is remembered, and written at the end", async () => {
  await using at = await filledStore();
  const other = await openDatabase(at.path);
  const cache = await at.open();

  other.exec("BEGIN IMMEDIATE");
  cache.keepReply("k2", "m", replyFixture);
  cache.keepVectors(key, new Map([["b", Float32Array.of(3, 4)]]));

  expect(cache.reply("k2")).toEqual(replyFixture);
  expect([...cache.vectors(key, ["a", "b"]).keys()].sort()).toEqual(["a", "b"]);
  expect(() => cache.keepCalibration(calibrationFixture)).toThrow("locked");
  other.exec("ROLLBACK");
  other.close();
  await cache[Symbol.asyncDispose]();

  await using later = await at.open();
  expect(later.reply("k2")).toEqual(replyFixture);
  expect(later.vectors(key, ["b"]).size).toBe(1);
  expect(at.warnings).toEqual([]);
});

test("a file that takes nothing, not even at the end, costs no run: it is read, and that is reported once", async () => {
  await using at = await filledStore();
  {
    await using cache = await at.open();
    await change(at.path, (database) =>
      database.exec(
        `CREATE TRIGGER no_vectors BEFORE INSERT ON routing_vectors BEGIN SELECT RAISE(FAIL, 'no room'); END;
         CREATE TRIGGER no_replies BEFORE INSERT ON judge_replies BEGIN SELECT RAISE(FAIL, 'no room'); END;`,
      ),
    );
    cache.keepReply("k2", "m", replyFixture);
    cache.keepVectors(key, new Map([["b", Float32Array.of(3, 4)]]));

    expect([...cache.vectors(key, ["a", "b"]).keys()].sort()).toEqual(["a", "b"]);
    expect(cache.reply("k2")).toEqual(replyFixture);
    expect(cache.reply("k")).toEqual(replyFixture);
  }

  expect(at.warnings).toEqual([expect.stringContaining("no room")]);
});

test.skipIf(process.getuid?.() === 0)("a file that may only be read is read", async () => {
  await using at = await filledStore();
  chmodSync(at.path, 0o444);

  {
    await using cache = await at.open("2027-01-01T00:00:00.000Z");
    cache.keepReply("k2", "m", replyFixture);
    expect(cache.vectors(key, ["a"])).toEqual(one);
    expect(cache.reply("k2")).toEqual(replyFixture);
  }

  expect(at.warnings).toHaveLength(1);
});

test.runIf(process.platform === "linux")(
  "where no file can be made all is remembered, and that is reported",
  async () => {
    const warnings: string[] = [];

    await using cache = await openCache("/proc/eval-skills.db", { warn: (text) => warnings.push(text) });
    cache.keepReply("k", "m", replyFixture);

    expect(cache.reply("k")).toEqual(replyFixture);
    expect(warnings).toEqual([expect.stringContaining("nothing is cached for the next run")]);
    expect(() => cache.keepCalibration(calibrationFixture)).toThrow("the store cannot be used");
  },
);

test.each([
  ["text", (path: string) => writeFileSync(path, "no database\n".repeat(100)), "damaged"],
  ["a folder", (path: string) => mkdirSync(path), "folder"],
  [
    "a store of a newer version",
    async (path: string) => {
      await (await openCache(path))[Symbol.asyncDispose]();
      await change(path, (database) => database.exec("PRAGMA user_version = 99"));
    },
    "newer eval-skills",
  ],
  [
    "a store of an earlier version",
    (path: string) =>
      change(path, (database) =>
        database.exec(`CREATE TABLE t (x); PRAGMA application_id = ${earlierApplicationId}`),
      ),
    "an earlier eval-skills",
  ],
  [
    "a database of another program",
    (path: string) => change(path, (database) => database.exec("CREATE TABLE t (x)")),
    "another program",
  ],
])("%s is refused", async (_, make, message) => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "store.db");
  await make(path);

  await expect(openCache(path)).rejects.toMatchObject({
    code: "store-unusable",
    message: expect.stringContaining(message),
  });
});

test("an empty path and a folder that is not there are refused", async () => {
  await using folder = await temporaryFolder();

  await expect(openCache("")).rejects.toMatchObject({ code: "store-unusable" });
  await expect(openCache(join(folder.path, "no/store.db"))).rejects.toMatchObject({ code: "store-unusable" });
});

test("a use is written down, once a day", async () => {
  await using at = await filledStore("2026-03-01T00:00:00.000Z");
  const usesOf = async () => {
    const uses: unknown[] = [];
    await change(at.path, (database) => {
      for (const table of ["routing_vectors", "routing_floors", "judge_replies"])
        uses.push(database.prepare(`SELECT used_at FROM ${table}`).get()?.used_at);
    });
    return uses;
  };
  const useAt = async (time: string) => {
    await using cache = await at.open(time);
    cache.vectors(key, ["a"]);
    cache.floor(floorKey);
    cache.reply("k");
  };

  await useAt("2026-03-01T12:00:00.000Z");
  expect(await usesOf()).toEqual(Array(3).fill("2026-03-01T00:00:00.000Z"));
  await useAt("2026-03-02T06:00:00.000Z");
  expect(await usesOf()).toEqual(Array(3).fill("2026-03-02T06:00:00.000Z"));
});
