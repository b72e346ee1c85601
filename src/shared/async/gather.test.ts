import { expect, test } from "vitest";
import { afterMs, afterThisTurn, failingForGood, Gather } from "./gather.ts";

/** A write that notes its groups, and can be made to fail. */
function notingWrite() {
  const notes: string[] = [];
  const disk = { isBroken: false };
  const write = (items: string[]) => {
    if (disk.isBroken) throw new Error("disk full");
    notes.push(`write ${items.join(" ")}`);
  };
  return { notes, disk, write };
}

/** A write that takes until it is let go. */
function slowWrite() {
  const groups: string[][] = [];
  const letGo: (() => void)[] = [];
  const write = (items: string[]) =>
    new Promise<void>((done) => {
      groups.push(items);
      letGo.push(done);
    });
  return { groups, letGo, write };
}

test("items of one turn are written together, and nobody is done before", async () => {
  const { notes, write } = notingWrite();
  const gather = new Gather(write, afterThisTurn);

  await Promise.all(["a", "b"].map((item) => gather.add(item).then(() => void notes.push(`done ${item}`))));

  expect(notes).toEqual(["write a b", "done a", "done b"]);
});

test("a group may be gathered over more than one turn", async () => {
  const { notes, write } = notingWrite();
  const gather = new Gather(write, afterMs(10));

  const first = gather.add("a");
  await new Promise(setImmediate);
  expect(notes).toEqual([]);
  await Promise.all([first, gather.add("b")]);

  expect(notes).toEqual(["write a b"]);
});

test("a flush writes at once, and the moment then finds nothing", async () => {
  const { notes, write } = notingWrite();
  const gather = new Gather(write, afterThisTurn);

  const done = gather.add("a");
  gather.flush();
  expect(notes).toEqual(["write a"]);
  await done;
  await new Promise(setImmediate);

  expect(notes).toEqual(["write a"]);
});

test("a full group does not wait", () => {
  const { notes, write } = notingWrite();
  const gather = new Gather(write, afterMs(60_000));

  for (let n = 0; n < 512; n++) void gather.add(String(n));

  expect(notes).toHaveLength(1);
});

test("a failing write rejects everyone in its group and nobody after it", async () => {
  const { disk, write } = notingWrite();
  const gather = new Gather(write, afterThisTurn);
  disk.isBroken = true;

  const ends = await Promise.allSettled([gather.add("a"), gather.add("b")]);
  disk.isBroken = false;

  expect(ends.map((end) => (end.status === "rejected" ? (end.reason as Error).message : end.status))).toEqual(
    ["disk full", "disk full"],
  );
  await expect(gather.add("c")).resolves.toBeUndefined();
});

test("while a group is being written the next one gathers, and goes as soon as the first is done", async () => {
  const { groups, letGo, write } = slowWrite();
  const gather = new Gather(write, afterThisTurn);
  const first = gather.add("a");
  gather.flush();
  const second = Promise.all([gather.add("b"), gather.add("c")]);
  gather.flush();
  expect(groups).toEqual([["a"]]);

  letGo[0]?.();
  await first;
  await Promise.resolve();

  expect(groups).toEqual([["a"], ["b", "c"]]);
  letGo[1]?.();
  await second;
});

test("drained waits for what is being written and for what came meanwhile", async () => {
  const { groups, letGo, write } = slowWrite();
  const gather = new Gather(write, afterMs(60_000));
  let isDrained = false;
  void gather.add("a");
  const drained = gather.drained().then(() => {
    isDrained = true;
  });
  void gather.add("b");

  letGo[0]?.();
  await new Promise(setImmediate);
  expect([groups.length, isDrained]).toEqual([2, false]);
  letGo[1]?.();
  await drained;

  expect(isDrained).toBe(true);
});

test("what fails for good does not come back, even where the next write would succeed", async () => {
  let writes = 0;
  const write = failingForGood(async () => {
    writes++;
    if (writes === 1) throw new Error("EIO");
  });
  const gather = new Gather<string>(write, afterThisTurn);

  await expect(gather.add("a")).rejects.toThrow("EIO");
  await expect(gather.add("b")).rejects.toThrow("EIO");

  expect(writes).toBe(1);
});
