import { expect, test } from "vitest";
import { onAbort } from "./on-abort.ts";

test("everyone who waits is called once, and who called it off is not", () => {
  const stop = new AbortController();
  const heard: string[] = [];
  onAbort(stop.signal, () => heard.push("first"));
  const callOff = onAbort(stop.signal, () => heard.push("second"));
  onAbort(stop.signal, () => heard.push("third"));

  callOff();
  stop.abort();
  stop.abort();

  expect(heard).toEqual(["first", "third"]);
});
