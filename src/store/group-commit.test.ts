import { expect, test } from "vitest";
import { afterMs, afterThisTurn, GroupCommit } from "./group-commit.ts";

/** A transaction that notes what it did, and can be told to fail. */
function notingTransaction() {
  const notes: string[] = [];
  const world = { isBroken: false };
  const transaction = (work: () => void) => {
    notes.push("begin");
    work();
    if (world.isBroken) throw new Error("disk full");
    notes.push("commit");
  };
  return { notes, world, transaction };
}

test("nobody is told done before the commit", async () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);

  const told = ["a", "b"].map((name) =>
    group.add(() => void notes.push(`write ${name}`)).then(() => void notes.push(`told ${name}`)),
  );
  await Promise.all(told);

  expect(notes).toEqual(["begin", "write a", "write b", "commit", "told a", "told b"]);
});

test("writes are not done one by one while others may still join", async () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);

  const first = group.add(() => {});
  await Promise.resolve();
  const second = group.add(() => {});
  expect(notes).toEqual([]);
  await Promise.all([first, second]);

  expect(notes.filter((note) => note === "commit")).toHaveLength(1);
});

test("a group may be gathered over more than one turn", async () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterMs(10));

  const first = group.add(() => {});
  await new Promise(setImmediate);
  expect(notes).toEqual([]);
  await Promise.all([first, group.add(() => {})]);

  expect(notes).toEqual(["begin", "commit"]);
});

test("a flush does not wait for the moment to come, and the moment then finds nothing", async () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);

  const done = group.add(() => {});
  group.flush();
  await done;
  await new Promise(setImmediate);

  expect(notes).toEqual(["begin", "commit"]);
});

test("a full group does not wait", () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);

  for (let n = 0; n < 512; n++) void group.add(() => {});

  expect(notes).toEqual(["begin", "commit"]);
});

test("a failing commit rejects everyone in its group and nobody after it", async () => {
  const { world, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);
  world.isBroken = true;
  const doomed = [group.add(() => {}), group.add(() => {})];

  const ends = await Promise.allSettled(doomed);
  world.isBroken = false;

  expect(ends.map((end) => (end.status === "rejected" ? (end.reason as Error).message : end.status))).toEqual(
    ["disk full", "disk full"],
  );
  await expect(group.add(() => {})).resolves.toBeUndefined();
});

test("a write that throws fails its whole group", async () => {
  const { notes, transaction } = notingTransaction();
  const group = new GroupCommit(transaction, afterThisTurn);

  const ends = await Promise.allSettled([
    group.add(() => {}),
    group.add(() => {
      throw new Error("no such run");
    }),
  ]);

  expect(ends.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(notes).toEqual(["begin"]);
});

test("a flush with nothing to write opens no transaction", () => {
  const { notes, transaction } = notingTransaction();

  new GroupCommit(transaction, afterThisTurn).flush();

  expect(notes).toEqual([]);
});
