import { expect, test } from "vitest";
import { onAbort } from "./abort.ts";

test("everyone who waits is called once, and who called it off is not", () => {
  const stop = new AbortController();
  const received: string[] = [];
  onAbort(stop.signal, () => received.push("first"));
  const callOff = onAbort(stop.signal, () => received.push("second"));
  onAbort(stop.signal, () => received.push("third"));

  callOff();
  stop.abort();
  stop.abort();

  expect(received).toEqual(["first", "third"]);
});
