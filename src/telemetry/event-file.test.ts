import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampleEvent } from "../../test/builders/sample-event.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import type { EventFile, TelemetryFilter } from "../contract/telemetry.ts";
import { contextFields } from "../contract/telemetry-fields.ts";
import { openDatabase } from "../shared/files/sqlite-driver.ts";
import { openEventFile } from "./event-file.ts";

const week = { retentionDays: 7 };
const day = 24 * 60 * 60;

async function openedFile() {
  const folder = await temporaryFolder();
  const path = join(folder.path, "sub", "telemetry.sqlite3");
  const file = await openEventFile(path, week);
  return {
    path,
    file,
    async [Symbol.asyncDispose]() {
      file[Symbol.dispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}

function readEvents(file: EventFile, filter: Partial<TelemetryFilter> = {}) {
  return file.events({ limit: 100, context: {}, ...filter });
}

describe("the file", () => {
  test("fault row 93: is refused where a stranger left a trigger that would change what we write", async () => {
    await using at = await openedFile();
    const database = await openDatabase(at.path);
    database.exec(
      "CREATE TRIGGER forges AFTER INSERT ON telemetry_events BEGIN DELETE FROM telemetry_events; END",
    );
    database.close();
    await expect(openEventFile(at.path, week)).rejects.toMatchObject({ code: "sqlite-unreadable" });
  });

  test("is the owner's alone, with what SQLite has beside it; one that was open to others is narrowed, once", async () => {
    await using at = await openedFile();
    const files = ["", "-wal", "-shm"].map((suffix) => `${at.path}${suffix}`);
    const modes = () => files.map((file) => statSync(file).mode & 0o777);
    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    for (const file of files) chmodSync(file, 0o644);

    const narrowed: string[] = [];
    const onNarrowed = (path: string) => void narrowed.push(path);
    for (let n = 0; n < 2; n++) {
      using _ = await openEventFile(at.path, { ...week, onNarrowed });
    }

    expect(modes()).toEqual([0o600, 0o600, 0o600]);
    expect(narrowed).toEqual([at.path]);
  });

  test("has the table and the indexes that others may rely on, and a write-ahead log", async () => {
    await using at = await openedFile();
    at.file.add([sampleEvent({ run_id: "r", extra: { a: 1 } })], 5);
    const database = await openDatabase(at.path);
    const columns = database.prepare("PRAGMA table_info(telemetry_events)").all();
    const indexes = database.prepare("PRAGMA index_list(telemetry_events)").all();
    const row = database.prepare("SELECT * FROM telemetry_events").get();
    const mode = database.prepare("PRAGMA journal_mode").get();
    database.close();
    expect(columns.map(({ name }) => name)).toEqual([
      ...["id", "event_id", "received_at", "ts", "schema_version", "event_name", "source"],
      ...contextFields,
      ...["payload_json", "extra_json", "reports"],
    ]);
    expect(
      indexes
        .map(({ name }) => String(name).replace("telemetry_events_", ""))
        .filter((name) => !name.startsWith("sqlite")),
    ).toEqual(
      expect.arrayContaining(
        "ts event_name run_id session_id case_id host_app doc_key block_id client_id".split(" "),
      ),
    );
    expect(row).toMatchObject({
      run_id: "r",
      session_id: null,
      received_at: 5,
      reports: 1,
      extra_json: '{"a":1}',
    });
    expect(mode).toEqual({ journal_mode: "wal" });
  });

  test("many that open it together where there is none all succeed, and write", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "new", "telemetry.sqlite3");
    const files = await Promise.all(Array.from({ length: 8 }, () => openEventFile(path, week)));
    for (const file of files) file.add([sampleEvent()], 1);
    expect(readEvents(files[0] as EventFile)).toHaveLength(8);
    for (const file of files) file[Symbol.dispose]();
  });

  test("is looked at without being changed, also where nothing may be written beside it", async () => {
    await using at = await openedFile();
    at.file.add([sampleEvent()], 1);
    const writer = await openDatabase(at.path);
    writer.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    writer.close();
    const copy = join(at.path, "..", "copy");
    mkdirSync(copy);
    writeFileSync(join(copy, "t.db"), readFileSync(at.path));
    chmodSync(join(copy, "t.db"), 0o444);
    chmodSync(copy, 0o555);
    const before = readFileSync(join(copy, "t.db"));
    using file = await openEventFile(join(copy, "t.db"), { ...week, readOnly: true });
    expect(readEvents(file)).toHaveLength(1);
    expect(() => file.add([sampleEvent()], 1)).toThrow(/readonly|read-only/i);
    expect(readFileSync(join(copy, "t.db")).equals(before)).toBe(true);
    chmodSync(copy, 0o755);
  });

  test.each([
    ["that is not there", "sqlite-not-found", 2, null],
    ["without a table", "sqlite-not-found", 2, ""],
    ["of another kind", "sqlite-unreadable", 3, "hello".repeat(300)],
  ])("one %s is %s when it is only read", async (_, code, exitCode, content) => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "t.db");
    if (content !== null) writeFileSync(path, content);
    await expect(openEventFile(path, { ...week, readOnly: true })).rejects.toMatchObject({ code, exitCode });
    expect(readdirSync(folder.path).filter((name) => name === "t.db")).toHaveLength(content === null ? 0 : 1);
  });

  test("a database of another program, a damaged one and a folder are left alone", async () => {
    await using folder = await temporaryFolder();
    const other = join(folder.path, "other.db");
    const database = await openDatabase(other);
    database.exec("CREATE TABLE theirs (a)");
    database.close();
    const bytes = readFileSync(other);
    for (const path of [other, folder.path, join(folder.path, "torn.db")]) {
      if (path.endsWith("torn.db"))
        writeFileSync(path, Buffer.concat([bytes.subarray(0, 90), Buffer.alloc(4000, 7)]));
      await expect(openEventFile(path, week)).rejects.toMatchObject({ code: "sqlite-unreadable", path });
    }
    expect(readFileSync(other).equals(bytes)).toBe(true);
    expect(statSync(folder.path).isDirectory()).toBe(true);
  });
});

describe("one happening counts once", () => {
  const turn = { event_id: "sha256:turn", event_name: "chat.turn_done" };

  test("what client and server report of the same turn is one event of two reports; who knows better wins", async () => {
    await using at = await openedFile();
    const client = sampleEvent({ ...turn, source: "client", ts: 1, client_id: "c", payload: { a: 1, b: 1 } });
    const server = sampleEvent({ ...turn, source: "server", ts: 2, run_id: "r", payload: { b: 2, c: 2 } });
    expect(at.file.add([client, server], 10)).toEqual({ accepted: 2, duplicates: 0 });
    expect(readEvents(at.file)).toMatchObject([
      { reports: 2, source: "server", ts: 2, client_id: "c", run_id: "r", payload: { a: 1, b: 2, c: 2 } },
    ]);
  });

  test("the order in which three sides report it does not matter", async () => {
    const sides = (["client", "runner", "server"] as const).map((source, rank) =>
      sampleEvent({
        ...turn,
        source,
        payload: { all: rank, [source]: rank, ...(rank < 2 && { two: rank }) },
      }),
    );
    for (const order of [
      [0, 1, 2],
      [2, 0, 1],
      [1, 2, 0],
    ]) {
      await using at = await openedFile();
      for (const index of order) at.file.add([sides[index] as (typeof sides)[0]], 10);
      expect(readEvents(at.file)).toMatchObject([
        { reports: 3, source: "server", payload: { all: 2, two: 1, client: 0, runner: 1, server: 2 } },
      ]);
    }
  });

  test("the same side again changes nothing, whatever it says now", async () => {
    await using at = await openedFile();
    const first = sampleEvent({ ...turn, source: "client", payload: { a: 1 } });
    at.file.add([first], 10);
    const again = { ...first, payload: { a: 9, b: 9 } };
    expect(at.file.add([again, again], 20)).toEqual({ accepted: 0, duplicates: 2 });
    at.file.add([{ ...first, source: "runner", payload: { c: 1 } }], 30);
    expect(at.file.add([again], 40)).toEqual({ accepted: 0, duplicates: 1 });
    expect(readEvents(at.file)).toMatchObject([{ reports: 2, received_at: 10, payload: { a: 1, c: 1 } }]);
  });

  test("an id that names something else already is taken for the same event, and a name like __proto__ for data", async () => {
    await using at = await openedFile();
    const payload = JSON.parse('{"__proto__":{"polluted":true}}');
    at.file.add([sampleEvent({ ...turn, source: "client", payload })], 10);
    const other = sampleEvent({ ...turn, event_name: "other", source: "server" });
    expect(at.file.add([other], 10)).toEqual({ accepted: 0, duplicates: 1 });
    at.file.add([sampleEvent({ ...turn, source: "server" })], 10);
    const [event] = readEvents(at.file);
    expect(JSON.stringify(event?.payload)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf({})).not.toHaveProperty("polluted");
  });
});

describe("looking back", () => {
  test("events come newest first, and all conditions must hold", async () => {
    await using at = await openedFile();
    const names = ["a", "b", "a", "a"];
    at.file.add(
      names.map((name, n) =>
        sampleEvent({ event_name: name, ts: n, run_id: n < 2 ? "r1" : "r2", host_app: "wps" }),
      ),
      100,
    );
    const found = (filter: Partial<TelemetryFilter>) => readEvents(at.file, filter).map(({ ts }) => ts);
    expect(found({})).toEqual([3, 2, 1, 0]);
    expect(found({ limit: 2 })).toEqual([3, 2]);
    expect(found({ eventName: "a", context: { run_id: "r2" } })).toEqual([3, 2]);
    expect(found({ sinceTs: 1, untilTs: 2 })).toEqual([2, 1]);
    expect(found({ beforeId: 3 })).toEqual([1, 0]);
    expect(found({ context: { run_id: "' OR 1=1 --" } })).toEqual([]);
  });

  test("groups report how many, how many went wrong, and times by nearest rank", async () => {
    await using at = await openedFile();
    const timed = Array.from({ length: 20 }, (_, n) =>
      sampleEvent({ skill_id: "s", payload: { status: "pass", ms: n + 1 } }),
    );
    const bad = [
      sampleEvent({ skill_id: "t", payload: { status: "error", ms: "slow" } }),
      sampleEvent({ skill_id: "t", event_name: "chat.turn_done", payload: { ok: false, chat_ms: 7 } }),
      sampleEvent({ skill_id: "t", event_name: "run.done", payload: { exit_code: 1 } }),
      sampleEvent({ event_name: "macro.error_report" }),
    ];
    at.file.add([...timed, ...bad], 1);
    expect(at.file.groups({ context: {} }, ["skill_id"])).toEqual([
      { group: { skill_id: "s" }, count: 20, errors: 0, p50: 10, p95: 19 },
      { group: { skill_id: "t" }, count: 3, errors: 3, p50: 7, p95: 7 },
      { group: { skill_id: null }, count: 1, errors: 1, p50: null, p95: null },
    ]);
    expect(at.file.groups({ context: {}, eventName: "cell.done" }, [])).toEqual([
      { group: {}, count: 21, errors: 1, p50: 10, p95: 19 },
    ]);
    expect(at.file.groups({ context: { run_id: "nobody" } }, [])).toEqual([]);
  });
});

test("what is old goes by when it was received: a ts of 123 is no reason", async () => {
  await using at = await openedFile();
  const now = 100 * day;
  const merged = sampleEvent({ event_id: "old", source: "client" });
  at.file.add([merged, { ...merged, source: "server" }], now - 7 * day - 1);
  at.file.add(
    Array.from({ length: 450 }, () => sampleEvent()),
    now - 7 * day - 1,
  );
  at.file.add([sampleEvent({ ts: 123 })], now);
  at.file.add([sampleEvent({ ts: 123 })], now - 7 * day);
  expect(at.file.sweep(now, 200)).toBe(200);
  expect(at.file.sweep(now)).toBe(251);
  expect(at.file.sweep(now)).toBe(0);
  expect(readEvents(at.file)).toMatchObject([{ ts: 123 }, { ts: 123 }]);
  const database = await openDatabase(at.path);
  expect(database.prepare("SELECT count(*) AS n FROM telemetry_reports").get()).toEqual({ n: 0 });
  database.close();
});
