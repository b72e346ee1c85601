import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { matchInThread, matchLinesInThread } from "./match-in-thread.ts";

test("a match says whether there is one", async () => {
  expect(await matchInThread({ pattern: "a", flags: "", text: "abc" })).toEqual({
    status: "matched",
    isMatch: true,
  });
  expect(await matchInThread({ pattern: "x", flags: "", text: "abc" })).toEqual({
    status: "matched",
    isMatch: false,
  });
});

test("a request that cannot be compiled breaks its own match alone", async () => {
  const [broken, fine] = await Promise.all([
    matchInThread({ pattern: "(", flags: "", text: "" }),
    matchInThread({ pattern: "a", flags: "", text: "a" }),
  ]);
  expect(broken).toMatchObject({ status: "broken", problem: expect.stringContaining("Unterminated group") });
  expect(fine).toEqual({ status: "matched", isMatch: true });
});

test("idle threads do not keep the program alive", async () => {
  const program = `
    const { matchInThread } = await import(${JSON.stringify(new URL("./match-in-thread.ts", import.meta.url).href)});
    console.log((await matchInThread({ pattern: "a", flags: "", text: "a" })).status);`;
  const args = ["--import", "tsx", "--input-type=module", "-e", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 25_000 });
  expect(stdout).toBe("matched\n");
});

test("lines of many texts are searched in one go, up to a number of hits, each line for itself", async () => {
  const request = {
    pattern: "a",
    flags: "g",
    texts: ["a\r\nb\naa", "b", "ba\na"],
    maxHits: 10,
    oncePerText: false,
  };
  const all = [
    [0, 0],
    [0, 2],
    [2, 0],
    [2, 1],
  ];

  expect(await matchLinesInThread(request)).toEqual({ status: "searched", hits: all });
  expect(await matchLinesInThread({ ...request, maxHits: 3 })).toMatchObject({ hits: all.slice(0, 3) });
  expect(await matchLinesInThread({ ...request, oncePerText: true })).toMatchObject({
    hits: [
      [0, 0],
      [2, 0],
    ],
  });
});
