import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { httpServer, readBody } from "../../test/local-server.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { Config } from "../contract/config.ts";
import type { StoredEvent, TelemetryEvent } from "../contract/telemetry.ts";
import { systemClock } from "../shared/async/clock.ts";
import { openDatabase } from "../shared/files/sqlite-driver.ts";
import { openEventFile } from "./event-file.ts";
import { openTelemetry } from "./queue.ts";
import { type TelemetrySettings, telemetrySettings } from "./settings.ts";
import { maxSpooled, openSpool, spoolPath } from "./spool.ts";

async function telemetryFolder(
  configured: Partial<Config["telemetry"]> = {},
  env: Record<string, string> = {},
) {
  const folder = await temporaryFolder();
  const settings: TelemetrySettings = {
    ...telemetrySettings(Config.parse({ telemetry: configured }).telemetry, env),
    sqlitePath: join(folder.path, ".eval-skills", "telemetry.sqlite3"),
  };
  const warnings: string[] = [];
  return {
    folder: folder.path,
    settings,
    warnings,
    open: (changes: Partial<TelemetrySettings> = {}) =>
      openTelemetry(
        { ...settings, ...changes },
        { clock: systemClock, warn: (message) => void warnings.push(message) },
      ),
    async storedEvents(): Promise<StoredEvent[]> {
      using file = await openEventFile(settings.sqlitePath, { retentionDays: 7, readOnly: true });
      return file.events({ limit: 5000, context: {} });
    },
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

/** An endpoint that answers as configured, and remembers what it received. */
async function endpoint(answer: () => number = () => 200) {
  const received: { authorization: string | undefined; events: TelemetryEvent[] }[] = [];
  const server = await httpServer(async (request, response) => {
    const body = await readBody(request);
    const status = answer();
    if (status === 200) received.push({ authorization: request.headers.authorization, ...JSON.parse(body) });
    response.writeHead(status, status === 302 ? { location: "/elsewhere" } : {}).end();
  });
  return {
    server,
    remoteEndpoint: `${server.url}/telemetry/events`,
    received,
    events: () => received.flatMap(({ events }) => events),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

test("files that others could read are narrowed, and said so in one line; the spool too", async () => {
  await using at = await telemetryFolder();
  await using closed = await endpoint(() => 500);
  const emit = async () => {
    await using telemetry = at.open({ mode: "both", remoteEndpoint: closed.remoteEndpoint });
    telemetry.emit("run.start", {});
  };
  const files = [at.settings.sqlitePath, `${at.settings.sqlitePath}.spool`];
  await emit();
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  for (const file of files) chmodSync(file, 0o666);
  at.warnings.length = 0;

  await emit();

  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600, 0o600]);
  expect(at.warnings).toHaveLength(1);
  expect(at.warnings[0]).toContain("were open to other users; now only you can read them");
});

describe("in the file", () => {
  test("everything emitted is there when the run has ended, in order, with its context", async () => {
    await using at = await telemetryFolder();
    {
      await using telemetry = at.open();
      telemetry.emit("run.start", { cells: 700 }, { run_id: "r" });
      for (let n = 0; n < 700; n++) telemetry.emit("cell.done", { n }, { run_id: "r", cell_id: `c${n}` });
      telemetry.emit("run.done", { exit_code: 0 }, { run_id: "r" });
    }
    const storedEvents = (await at.storedEvents()).reverse();
    expect(at.warnings).toEqual([]);
    expect(storedEvents.map(({ event_name }) => event_name)).toEqual([
      "run.start",
      ...Array.from({ length: 700 }, () => "cell.done"),
      "run.done",
    ]);
    expect(storedEvents[5]).toMatchObject({
      source: "runner",
      run_id: "r",
      cell_id: "c4",
      payload: { n: 4 },
      reports: 1,
    });
  });

  test("what does not fit the queue is dropped, the oldest first, and that is reported", async () => {
    await using at = await telemetryFolder();
    {
      await using telemetry = at.open();
      for (let n = 0; n < 1300; n++) telemetry.emit("cell.done", { n });
    }
    const storedEvents = await at.storedEvents();
    const [dropped] = storedEvents.filter(({ event_name }) => event_name === "telemetry.dropped");
    expect(dropped?.payload).toMatchObject({ count: 300, since: expect.any(Number) });
    expect(storedEvents.filter(({ event_name }) => event_name === "cell.done").at(-1)?.payload).toEqual({
      n: 300,
    });
  });

  test("nothing is opened before the first event, and nothing at all where it is off", async () => {
    await using at = await telemetryFolder();
    {
      await using _ = at.open();
    }
    {
      await using off = at.open({ mode: "off" });
      off.emit("run.start", {});
    }
    expect(readdirSync(at.folder)).toEqual([]);
  });

  test.each([
    [
      "whose folder is a file",
      (path: string) => writeFileSync(join(path, "..", "..", "file"), ""),
      "file/t.db",
    ],
    [
      "that is no database",
      (path: string) => writeFileSync(join(path, "..", "..", "text"), "no database"),
      "text",
    ],
    ["on a file system that refuses", () => {}, "/proc/nowhere/t.db"],
  ])("a file %s is one warning at the end, whatever was emitted", async (_, prepare, name) => {
    await using at = await telemetryFolder({ flushIntervalMs: 50 });
    prepare(at.settings.sqlitePath);
    {
      await using telemetry = at.open({ sqlitePath: join(name.startsWith("/") ? "/" : at.folder, name) });
      for (let n = 0; n < 2500; n++) telemetry.emit("cell.done", { n });
      await new Promise(setImmediate);
      expect(at.warnings).toEqual([]);
    }
    expect(at.warnings).toEqual([expect.stringMatching(/^telemetry: 2500 events were not stored: /)]);
  });

  test("somebody who holds the file delays nobody: it is written when they let go", async () => {
    await using at = await telemetryFolder({ flushIntervalMs: 50 });
    const holder = await (async () => {
      using file = await openEventFile(at.settings.sqlitePath, { retentionDays: 7 });
      file.add([], 0);
      return openDatabase(at.settings.sqlitePath);
    })();
    holder.exec("BEGIN IMMEDIATE");
    {
      await using telemetry = at.open();
      for (let n = 0; n < 200; n++) telemetry.emit("cell.done", { n });
      setTimeout(() => holder.exec("COMMIT"), 100);
    }
    holder.close();
    expect(at.warnings).toEqual([]);
    expect(await at.storedEvents()).toHaveLength(200);
  });
});

describe("at an endpoint", () => {
  test("batches arrive with the token, and nothing is left on the disk", async () => {
    await using there = await endpoint();
    await using at = await telemetryFolder(
      { mode: "remote", remoteEndpoint: there.remoteEndpoint, batchSize: 2 },
      { EVAL_SKILLS_TELEMETRY_TOKEN: "letmein" },
    );
    {
      await using telemetry = at.open();
      for (let n = 0; n < 5; n++) telemetry.emit("cell.done", { n });
    }
    expect(at.warnings).toEqual([]);
    expect(there.received.map(({ events }) => events.length)).toEqual([2, 2, 1]);
    expect(there.received[0]?.authorization).toBe("Bearer letmein");
    expect(there.events().map(({ payload }) => payload.n)).toEqual([0, 1, 2, 3, 4]);
    expect(readdirSync(at.folder)).toEqual([]);
  });

  test.each([500, 302, 401])(
    "what is answered with %i waits in the spool and arrives with the next start",
    async (status) => {
      let now = status;
      await using there = await endpoint(() => now);
      await using at = await telemetryFolder({ mode: "both", remoteEndpoint: there.remoteEndpoint });
      {
        await using telemetry = at.open();
        telemetry.emit("cell.done", { n: 1 });
      }
      expect(there.server.requests).toBe(1); // a redirect is not followed
      expect(at.warnings).toEqual([
        expect.stringMatching(/^telemetry: 1 events for 127\.0\.0\.1:\d+ are queued in .*\.spool: /),
      ]);
      now = 200;
      {
        await using telemetry = at.open();
        telemetry.emit("cell.done", { n: 2 });
        while (there.events().length < 1) await new Promise(setImmediate);
      }
      expect(at.warnings).toHaveLength(1);
      expect(there.events().map(({ payload }) => payload.n)).toEqual(expect.arrayContaining([1, 2]));
      const storedEvents = await at.storedEvents();
      expect(storedEvents.map(({ event_id }) => event_id).sort()).toEqual(
        there
          .events()
          .map(({ event_id }) => event_id)
          .sort(),
      );
    },
  );

  test("nobody there is the same, and the endpoint is left in peace for a while", async () => {
    const gone = await endpoint();
    await gone[Symbol.asyncDispose]();
    await using at = await telemetryFolder({
      mode: "remote",
      remoteEndpoint: gone.remoteEndpoint,
      batchSize: 1,
    });
    {
      await using telemetry = at.open();
      for (let n = 0; n < 50; n++) telemetry.emit("cell.done", { n });
    }
    expect(at.warnings).toEqual([expect.stringContaining("50 events")]);
    using spool = await openSpool(spoolPath(at.settings.sqlitePath), spoolOptions(gone.remoteEndpoint));
    expect(spool.take(1)?.events).toMatchObject([{ payload: { n: 0 } }]);
    expect(existsSync(at.settings.sqlitePath)).toBe(false);
  });

  test("in local mode nothing leaves the machine, whatever endpoint is named", async () => {
    await using there = await endpoint();
    await using at = await telemetryFolder(
      { mode: "local", remoteEndpoint: there.remoteEndpoint },
      { TELEMETRY_TOKEN: "letmein" },
    );
    {
      await using telemetry = at.open();
      for (let n = 0; n < 300; n++) telemetry.emit("cell.done", { n });
    }
    expect(await at.storedEvents()).toHaveLength(300);
    expect(there.server.connections.made).toBe(0);
  });

  test("only one file of the folder connects to another machine", () => {
    const folder = import.meta.dirname;
    const files = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const opening = files.filter((name) =>
      /\bfetch\(|"node:(?:http|https|http2|net|tls|dgram)"|"undici"|WebSocket/.test(
        readFileSync(join(folder, name), "utf8"),
      ),
    );
    expect(opening).toEqual(["send-events.ts"]);
  });
});

describe("the spool", () => {
  test("hands a batch to one at a time, keeps it until it arrived, and what failed comes last", async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, "spool");
    using one = await openSpool(path, spoolOptions("http://a"));
    using other = await openSpool(path, spoolOptions("http://a"));
    using elsewhere = await openSpool(path, spoolOptions("http://b"));
    const batch = (n: number) => [{ ...reported, payload: { n } }];
    for (const n of [1, 2]) one.put(batch(n), 100);
    const first = one.take(100);
    expect(first?.events).toEqual(batch(1));
    expect(other.take(101)?.events).toEqual(batch(2));
    expect(other.take(102)).toBe(null);
    expect(elsewhere.take(102)).toBe(null);
    one.failed(first?.id ?? 0);
    expect(other.take(103)?.id).toBe(first?.id);
    const late = other.take(200); // whoever had it is gone
    expect(late?.events).toEqual(batch(2));
    other.sent(late?.id ?? 0);
    expect(other.take(300)?.events).toEqual(batch(1));
  });

  test("has an end: the oldest go first, and that is counted", async () => {
    await using folder = await temporaryFolder();
    using spool = await openSpool(join(folder.path, "spool"), spoolOptions("http://a"));
    const many = Array.from({ length: maxSpooled / 2 }, () => reported);
    expect([spool.put(many, 1), spool.put(many, 2)]).toEqual([null, null]);
    expect(spool.put([reported], 3)).toEqual({ count: maxSpooled / 2, since: 1 });
  });
});

function spoolOptions(endpoint: string) {
  return { endpoint, oldest: 0, patience: { patienceMs: 1000, openingPatienceMs: 1000 } };
}

const reported: TelemetryEvent = {
  event_id: "e",
  schema_version: "eval-skills.telemetry.v1",
  event_name: "cell.done",
  ts: 1,
  source: "runner",
  payload: {},
};
