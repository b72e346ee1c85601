import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { isAlive, isSame, thisProcess } from "./owner.ts";

test("this process is alive", () => {
  expect(isAlive(thisProcess())).toBe(true);
});

test("a process that ended is not", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");

  expect(isAlive({ ...thisProcess(), pid: child.pid as number })).toBe(false);
});

test("a living process that began at another time has only inherited the number", () => {
  expect(isAlive({ ...thisProcess(), processStart: "1" })).toBe(false);
});

test("a process of another machine may be alive", () => {
  expect(isAlive({ pid: 1, processStart: "1", host: "elsewhere" })).toBe(true);
});

test("where a system does not report when a process began, a living pid is believed", () => {
  expect(isAlive({ ...thisProcess(), processStart: null })).toBe(true);
});

test("owners are the same only with the same pid, begin and host", () => {
  const owner = thisProcess();

  expect(isSame(owner, thisProcess())).toBe(true);
  expect(isSame(owner, { ...owner, host: "elsewhere" })).toBe(false);
  expect(isSame(owner, { ...owner, processStart: "1" })).toBe(false);
  expect(isSame(owner, { ...owner, pid: owner.pid + 1 })).toBe(false);
});
