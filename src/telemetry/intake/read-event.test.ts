import { describe, expect, test } from "vitest";
import { derivedEventId } from "../event-id.ts";
import { readEvent, readPost } from "./read-event.ts";
import { ReceivedIds } from "./received-ids.ts";

const receipt = { receivedAt: 1000, idOf: () => "made" };
const read = (text: string) => readEvent(JSON.parse(text), receipt);
const nested = (depth: number) =>
  `{"event":"a","payload":${'{"x":'.repeat(depth - 2)}{}${"}".repeat(depth - 2)}}`;

describe("an event of others", () => {
  const defaults = {
    schema_version: "eval-skills.telemetry.v1",
    ts: 1000,
    source: "client",
    event_id: "made",
    payload: {},
  };

  test.each([
    ["only a name", '{"event":"a"}', { event_name: "a" }],
    ["the name under another name", '{"name":"a","payload":null}', { event_name: "a" }],
    [
      "camelCase and the other version",
      '{"eventId":"e","schemaVersion":"ah32.telemetry.v1","eventName":"a","ts":5,"runId":"r","hostApp":"wps"}',
      { event_id: "e", event_name: "a", ts: 5, run_id: "r", host_app: "wps" },
    ],
    ["an old time", '{"event":"a","ts":123}', { event_name: "a", ts: 123 }],
    ["a time that is none", '{"event":"a","ts":1e999}', { event_name: "a" }],
    ["a time in words", '{"event":"a","ts":"yesterday"}', { event_name: "a" }],
    [
      "a time as deep as can be",
      `{"event":"a","ts":${"[".repeat(9000)}${"]".repeat(9000)}}`,
      { event_name: "a" },
    ],
    ["fields that say nothing", '{"event":"a","run_id":"","caseId":null}', { event_name: "a" }],
    ["a number for an id", '{"event":"a","turn_id":3}', { event_name: "a", turn_id: "3" }],
    [
      "paths in ids",
      '{"event":"a","doc_key":"../../etc/passwd"}',
      { event_name: "a", doc_key: "../../etc/passwd" },
    ],
    ["two names", '{"name":"b","event_name":"a"}', { event_name: "a", extra: { name: "b" } }],
    [
      "what nobody knows",
      '{"event":"a","colour":1,"extra":{"colour":2,"size":3}}',
      { event_name: "a", extra: { colour: 2, size: 3 } },
    ],
    ["an extra that is none", '{"event":"a","extra":"text"}', { event_name: "a", extra: { extra: "text" } }],
    ["as deep as it may be", nested(32), { event_name: "a", payload: expect.any(Object) }],
  ])("%s", (_, text, expected) => {
    expect(read(text)).toEqual({ ok: true, event: { ...defaults, ...expected } });
  });

  test.each([
    ["[]", "an event must be an object, not a list"],
    ['"a"', "an event must be an object, not text"],
    ["{}", "event_name is missing"],
    ['{"event":"  "}', "event_name is blank"],
    ['{"event":true}', "event_name must be text, not true"],
    [`{"event":"${"a".repeat(129)}"}`, "event_name has 129 characters, limit 128"],
    [
      '{"event":"a","schema_version":"v9"}',
      'schema_version may be eval-skills.telemetry.v1 or ah32.telemetry.v1, not "v9"',
    ],
    ['{"event":"a","source":"martian"}', 'source may be runner, server, client, not "martian"'],
    ['{"event":"a","payload":[1]}', "payload must be an object, not a list"],
    ['{"event":"a","session_id":{"a":1}}', "session_id must be text, not a map"],
    ['{"event":"a","session_id":"a\\u0000b"}', "session_id contains a character that cannot be stored"],
    ['{"event":"a","event_id":"\\ud800"}', "event_id contains a character that cannot be stored"],
    ['{"event":"a","payload":{"ms":1e999}}', "the event contains a number that is not finite"],
    [nested(33), "the event is nested deeper than 32 levels"],
    [
      `{"event":"a","payload":${"[".repeat(90_000)}${"]".repeat(90_000)}}`,
      "the event is nested deeper than 32 levels",
    ],
    [`{"event":"a","payload":{"x":"${"é".repeat(16_384)}"}}`, "the event has 32800 bytes, limit 32768"],
  ])("refused: %#", (text, reason) => {
    expect(read(text)).toEqual({ ok: false, reason });
  });

  test("a member called __proto__ is data", () => {
    const found = read('{"event":"a","__proto__":{"x":1},"payload":{"__proto__":{"y":2}}}');
    if (!found.ok) throw new Error(found.reason);
    expect(JSON.stringify(found.event)).toContain(
      '"payload":{"__proto__":{"y":2}},"extra":{"__proto__":{"x":1}}',
    );
    expect(Object.getPrototypeOf(found.event.payload)).toBe(Object.prototype);
  });
});

test("five events of which two are bad: three are read, two have reasons", () => {
  const document = {
    events: [{ event: "a" }, 7, { event: "b" }, { event: "c", payload: [] }, { name: "d" }],
  };
  expect(readPost(document, receipt)).toMatchObject({
    kind: "read",
    events: [{ event_name: "a" }, { event_name: "b" }, { event_name: "d" }],
    rejected: [
      { index: 1, reason: "an event must be an object, not 7" },
      { index: 3, reason: "payload must be an object, not a list" },
    ],
  });
  for (const none of [null, [], { events: {} }, JSON.parse('{"__proto__":{"events":[]}}')])
    expect(readPost(none, receipt)).toMatchObject({ kind: "no-post" });
  expect(readPost({ events: Array(501).fill(1) }, receipt)).toMatchObject({ kind: "too-many" });
});

describe("ids of events that came without", () => {
  const context = { session_id: "s", turn_id: "t" };
  const reported = (source: string, text: string) => ({ name: "macro.exec_done", source, context, text });

  test("both sides arrive at the same one, event by event, and one that is sent again keeps its own", () => {
    const ids = new ReceivedIds();
    const [first, second] = [0, 1].map((ordinal) => derivedEventId("macro.exec_done", context, ordinal));
    expect(ids.idOf(reported("client", "one"), 0)).toBe(first);
    expect(ids.idOf(reported("client", "two"), 0)).toBe(second);
    expect(ids.idOf(reported("client", "one"), 0)).toBe(first);
    expect(ids.idOf(reported("server", "first"), 0)).toBe(first);
    expect(ids.idOf(reported("server", "second"), 0)).toBe(second);
  });

  test("others, and those without a turn, get one that nobody else has", () => {
    const ids = new ReceivedIds();
    const plain = { ...reported("client", "x"), name: "rag.retrieve" };
    const turnless = { ...reported("client", "x"), context: { session_id: "s" } };
    const made = [plain, plain, turnless, turnless].map((event) => ids.idOf(event, 0));
    expect(new Set(made).size).toBe(4);
  });

  test("the memory of turns has an end", () => {
    const ids = new ReceivedIds();
    const first = ids.idOf(reported("client", "one"), 0);
    for (let n = 0; n < 2000; n++)
      ids.idOf({ ...reported("client", "x"), context: { session_id: "s", turn_id: `t${n}` } }, 0);
    // Forgotten, so that the next one of the turn is taken for its first.
    expect(ids.idOf(reported("client", "two"), 0)).toBe(first);
    for (let n = 0; n < 99; n++) ids.idOf(reported("client", `more ${n}`), 0);
    expect(ids.idOf(reported("client", "one too many"), 0)).not.toMatch(/^sha256:/);
  });
});
