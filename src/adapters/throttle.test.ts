import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { httpServer } from "../../test/local-server.ts";
import { within } from "../../test/open-skill.ts";
import type { Failed } from "../contract/outcome.ts";
import { forEachLimited } from "../shared/async/each-of.ts";
import { httpAdapter } from "./http.ts";
import { Throttle } from "./throttle.ts";

const never = new AbortController().signal;

async function enterMany(throttle: Throttle, count: number): Promise<number[]> {
  const tickets: number[] = [];
  for (let entered = 0; entered < count; entered++) tickets.push(await throttle.enter(never));
  return tickets;
}

describe("the width", () => {
  test("is as wide as it may be until somebody complains", async () => {
    const throttle = new Throttle(32);
    const tickets = await enterMany(throttle, 32);
    for (const ticket of tickets) throttle.leave(ticket, false);
    expect(throttle.width).toBe(32);
  });

  test("is cut at a complaint", async () => {
    const throttle = new Throttle(32);
    throttle.leave(await throttle.enter(never), true);
    expect(throttle.width).toBeLessThan(32);
  });

  test("is cut once by the complaints of calls that were under way together", async () => {
    const throttle = new Throttle(32);
    const [first, ...echoes] = await enterMany(throttle, 32);
    throttle.leave(first as number, true);
    const width = throttle.width;
    for (const ticket of echoes) throttle.leave(ticket, true);
    expect(throttle.width).toBe(width);
  });

  test("never falls below one, however long the complaints go on", async () => {
    const throttle = new Throttle(32);
    for (let round = 0; round < 100; round++) throttle.leave(await throttle.enter(never), true);
    expect(throttle.width).toBe(1);
  });

  test("comes back when the complaints end, and never goes beyond the widest", async () => {
    const throttle = new Throttle(8);
    for (let round = 0; round < 20; round++) throttle.leave(await throttle.enter(never), true);
    for (let round = 0; round < 1000; round++) throttle.leave(await throttle.enter(never), false);
    expect(throttle.width).toBe(8);
  });

  test("settles near what the target allows", async () => {
    const throttle = new Throttle(32);
    const widths: number[] = [];
    for (let round = 0; round < 60; round++) {
      const tickets = await enterMany(throttle, throttle.width);
      for (const [index, ticket] of tickets.entries()) throttle.leave(ticket, index >= 8);
      if (round >= 20) widths.push(throttle.width);
    }
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...widths)).toBeLessThanOrEqual(10);
  });

  test("of one stays one", async () => {
    const throttle = new Throttle(1);
    throttle.leave(await throttle.enter(never), true);
    throttle.leave(await throttle.enter(never), false);
    expect(throttle.width).toBe(1);
  });
});

describe("waiting for a place", () => {
  test("ends in the order of coming", async () => {
    const throttle = new Throttle(1);
    const ticket = await throttle.enter(never);
    const order: string[] = [];
    const waiting = ["first", "second", "third"].map(async (name) => {
      const own = await throttle.enter(never);
      order.push(name);
      throttle.leave(own, false);
    });
    throttle.leave(ticket, false);
    await Promise.all(waiting);
    expect(order).toEqual(["first", "second", "third"]);
  });

  test("is given up when the run is interrupted, and takes no place with it", async () => {
    const throttle = new Throttle(1);
    const ticket = await throttle.enter(never);
    const stop = new AbortController();
    const reason = new Error("stop");
    const waiting = throttle.enter(stop.signal);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    throttle.leave(ticket, false);
    await throttle.enter(never); // there is room again
  });

  test("does not begin when the run was interrupted before", async () => {
    const throttle = new Throttle(1);
    const reason = new Error("stop");
    await expect(throttle.enter(AbortSignal.abort(reason))).rejects.toBe(reason);
    await throttle.enter(never);
    await expect(throttle.enter(AbortSignal.abort(reason))).rejects.toBe(reason);
  });
});

test("fault row 28: a server that allows 8 at once is found out, and kept busy", async () => {
  const serviceMs = 60;
  const tasks = 200;
  let active = 0;
  let served = 0;
  let lateComplaints = 0;
  const lateWidths: number[] = [];
  await using server = await httpServer((_, response) => {
    if (active >= 8) {
      if (served >= tasks / 2) lateComplaints++;
      return void response.writeHead(429).end();
    }
    active++;
    if (served >= tasks / 2 && served < 0.8 * tasks) lateWidths.push(active);
    void sleep(serviceMs).then(() => {
      active--;
      served++;
      response.end("1");
    });
  });
  await using skill = httpAdapter({
    target: { origin: server.url, path: "/", headers: {} },
    buildBody: (input) => input,
    maxOutputBytes: 1000,
    concurrency: 32,
  });

  let maxTries = 0;
  await forEachLimited(Array.from({ length: tasks }).keys(), 32, async (task) => {
    // As the engine retries: after 250 ms, then 500, …
    for (let tries = 1; ; tries++) {
      maxTries = Math.max(maxTries, tries);
      const outcome = await skill.call(task, within(10_000));
      if (outcome.status === "answered") return;
      expect((outcome as Failed).cause).toBe("http-status");
      await sleep(250 * 2 ** (tries - 1) * (1 + Math.random() / 2));
    }
  });

  expect(served).toBe(tasks);
  // Too careful would be as bad; 8 that come together are 4.5 on average, counted one by one as they come.
  expect(lateWidths.reduce((sum, width) => sum + width, 0) / lateWidths.length).toBeGreaterThan(3);
  expect(maxTries).toBeLessThanOrEqual(6);
  // Feeling its way costs a complaint now and then; a width that never settled would cost one for most calls.
  expect(lateComplaints).toBeLessThan(tasks / 8);
});
