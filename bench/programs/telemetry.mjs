// 100,000 events over HTTP to `telemetry serve`, beside a bare loop that puts the same rows into the same kind of file.
// Prints medians in milliseconds, and what a question in between had to wait for at most.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "undici";
import { contextFields } from "../../src/contract/telemetry.ts";
import { openDatabase } from "../../src/shared/files/sqlite-driver.ts";
import { tables } from "../../src/telemetry/event-table.ts";

const [cli, rounds] = [process.argv[2], Number(process.argv[3])];
const posts = 200;
const eventsOfPost = 500;
const lanes = 8;
const count = posts * eventsOfPost;

const batches = Array.from({ length: posts }, (_, post) =>
  Array.from({ length: eventsOfPost }, (_, place) => eventOf(post * eventsOfPost + place)),
);
const bodies = batches.map((events) => JSON.stringify({ events }));

const times = { bare: [], ours: [] };
let slowestMs = 0;
let peakMb = 0;
for (let round = 0; round < rounds; round++) {
  times.bare.push(await inFolder(insertAll));
  times.ours.push(await inFolder(postAll));
}
console.log(JSON.stringify({ bare: median(times.bare), ours: median(times.ours), count, slowestMs, peakMb }));

function eventOf(n) {
  return {
    event_id: `event-${n}`,
    schema_version: "eval-skills.telemetry.v1",
    event_name: ["cell.start", "cell.done", "chat.llm_call", "tool.call_done"][n % 4],
    ts: 1_780_000_000 + n / 100,
    source: "client",
    run_id: `run-${n % 50}`,
    cell_id: `cell-${n}`,
    skill_id: `skill-${n % 7}`,
    session_id: `session-${n % 500}`,
    case_id: `case-${n % 100}`,
    host_app: "wps",
    payload: { ok: n % 10 > 0, ms: n % 1000, tokens: { input: 812, output: n % 300 }, cause: null },
  };
}

async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), "bench-telemetry-"));
  try {
    return await work(join(folder, "t.sqlite3"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function insertAll(path) {
  const database = await openDatabase(path);
  database.exec("PRAGMA journal_mode = WAL");
  database.exec("PRAGMA synchronous = NORMAL");
  database.exec(tables);
  const fields = contextFields.filter((field) => batches[0][0][field] !== undefined);
  const columns = ["event_id", "received_at", "ts", "schema_version", "event_name", "source", "payload_json"];
  const all = [...columns, ...fields];
  const insert = database.prepare(
    `INSERT INTO telemetry_events (${all.join(", ")}) VALUES (${all.map(() => "?").join(", ")})`,
  );
  const began = performance.now();
  for (const events of batches) {
    database.exec("BEGIN IMMEDIATE");
    for (const event of events) {
      const { event_id, ts, schema_version, event_name, source, payload } = event;
      const rest = fields.map((field) => event[field]);
      insert.run(event_id, 1, ts, schema_version, event_name, source, JSON.stringify(payload), ...rest);
    }
    database.exec("COMMIT");
  }
  const took = performance.now() - began;
  database.close();
  return took;
}

async function postAll(path) {
  const server = spawn(
    process.execPath,
    [cli, "telemetry", "serve", "--port", "0", "--path", path, "--json"],
    {
      cwd: tmpdir(),
      env: { ...process.env, EVAL_SKILLS_ENABLE_DEV_ROUTES: "true", EVAL_SKILLS_TELEMETRY_MODE: "local" },
      stdio: ["ignore", "pipe", "ignore"],
    },
  );
  const ended = once(server, "exit");
  const { url, port } = JSON.parse(String((await once(server.stdout, "data"))[0]));
  const token = readFileSync(join(path, `../telemetry-${port}.token`), "utf8").trim();
  const ask = asker(url, token);
  const watched = watch(ask);
  const began = performance.now();
  const kept = await postBodies(ask, bodies);
  const took = performance.now() - began;
  slowestMs = Math.max(slowestMs, await watched.stop());
  const again = await postBodies(ask, bodies.slice(0, 10));
  const { groups } = await ask("GET", "/dev/telemetry/summary?group_by=source");
  peakMb = Math.max(peakMb, peakOf(server.pid));
  server.kill("SIGTERM");
  const [code] = await ended;
  await ask.close();
  check(kept.accepted === count && kept.duplicates === 0, `accepted ${JSON.stringify(kept)}`);
  check(again.accepted === 0 && again.duplicates === 10 * eventsOfPost, `again ${JSON.stringify(again)}`);
  check(groups.length === 1 && groups[0].count === count, `kept ${JSON.stringify(groups)}`);
  check(code === 0, `the server ended with ${code}`);
  return took;
}

function asker(url, token) {
  const pool = new Pool(url, { connections: lanes + 1, pipelining: 1 });
  const ask = async (method, path, body) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const answer = await pool.request({ method, path, headers, body });
    const text = await answer.body.text();
    check(answer.statusCode === 200, `${path} answered ${answer.statusCode}: ${text}`);
    return JSON.parse(text);
  };
  return Object.assign(ask, { close: () => pool.close() });
}

async function postBodies(ask, all) {
  const sum = { accepted: 0, duplicates: 0 };
  let next = 0;
  const lane = async () => {
    while (next < all.length) {
      const { accepted, duplicates } = await ask("POST", "/telemetry/events", all[next++]);
      sum.accepted += accepted;
      sum.duplicates += duplicates;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return sum;
}

/** Asks one small question after the other, and keeps the longest wait. */
function watch(ask) {
  let isOver = false;
  let longest = 0;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      await ask("GET", "/telemetry/capabilities");
      longest = Math.max(longest, performance.now() - began);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return longest;
    },
  };
}

function peakOf(pid) {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) / 1024;
}

function check(isSo, problem) {
  if (!isSo) throw new Error(problem);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}
