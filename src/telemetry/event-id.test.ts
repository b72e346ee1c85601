import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { derivedEventId, eventIds, isReportedTwice, randomEventId } from "./event-id.ts";

const turn = { session_id: "s1", turn_id: "t1" };

test("client and server arrive at the same id, as the documentation says how", () => {
  const text = '["chat.turn_done","s1","t1",null,0]';
  const hash = createHash("sha256").update(text, "utf8").digest("hex");
  expect(derivedEventId("chat.turn_done", turn, 0)).toBe(`sha256:${hash}`);
});

test("another event, session, turn, block or ordinal is another id, whatever the letters between them", () => {
  const ids = [
    derivedEventId("chat.turn_done", turn, 0),
    derivedEventId("chat.turn_start", turn, 0),
    derivedEventId("chat.turn_done", { session_id: "s1t", turn_id: "1" }, 0),
    derivedEventId("chat.turn_done", { session_id: 's1","t1', turn_id: "x" }, 0),
    derivedEventId("chat.turn_done", { ...turn, block_id: "b" }, 0),
    derivedEventId("chat.turn_done", { ...turn, block_id: "" }, 0),
    derivedEventId("chat.turn_done", turn, 1),
  ];
  expect(new Set(ids).size).toBe(ids.length);
});

test("events of a turn are counted by name and block, and only where two sides report them", () => {
  const [here, there] = [eventIds(), eventIds()];
  const makeId = (idOf: typeof here, name: string, context = turn) => idOf(name, context, 5);
  expect(makeId(here, "macro.exec_start")).toBe(derivedEventId("macro.exec_start", turn, 0));
  expect(makeId(here, "macro.exec_start")).toBe(derivedEventId("macro.exec_start", turn, 1));
  expect(makeId(here, "macro.exec_done")).toBe(makeId(there, "macro.exec_done"));
  expect(makeId(here, "tool.call_done")).not.toBe(makeId(there, "tool.call_done"));
  expect(here("chat.turn_done", { session_id: "s1" }, 5)).not.toBe(
    there("chat.turn_done", { session_id: "s1" }, 5),
  );
  expect(["chat.turn_start", "chat.turn_done", "macro.x"].every(isReportedTwice)).toBe(true);
  expect(["chat.llm_call", "cell.done", "macro"].some(isReportedTwice)).toBe(false);
});

test("random ids are unique, and sort by time and within a millisecond", () => {
  const ids = Array.from({ length: 3000 }, (_, index) =>
    randomEventId(1_770_000_000_000 + Math.floor(index / 1000)),
  );
  expect(new Set(ids).size).toBe(3000);
  expect([...ids].sort()).toEqual(ids);
  expect(ids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
