import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import type { Containment } from "../../contract/containment.ts";
import { compareContainment, lastContainmentFile } from "./last-containment.ts";

const typed: Containment = { level: "off", backend: null, network: "open", unproven: [] };
const at = (level: Containment["level"], hint: string | null = null): Containment => ({
  ...typed,
  ...{ level, hint },
});

test("fault row 85: a level weaker than that of the last run on this machine is a loud warning, with the way to refuse it", async () => {
  await using home = await temporaryFolder();
  const compare = (containment: Containment) => compareContainment(home.path, containment, "here 0");
  expect([compare(at("strict")), compare(at("strict"))]).toEqual([null, null]);
  expect(compare(at("process", "probe: failed"))).toBe(
    "CONTAINMENT IS WEAKER THAN BEFORE: the last run on this machine had strict, this one has process (probe: failed); --sandbox strict refuses to run with less",
  );
  expect([compare(at("process")), compare(at("reduced")), compare(at("strict"))]).toEqual([null, null, null]);
});

test("another machine or user with the same home, and a level that was typed, are not compared", async () => {
  await using home = await temporaryFolder();
  expect(compareContainment(home.path, at("strict"), "here 0")).toBe(null);
  expect(compareContainment(home.path, at("process"), "there 0")).toBe(null);
  expect(compareContainment(home.path, typed, "here 0")).toBe(null);
  expect(compareContainment(home.path, at("reduced"), "here 0")).toContain("had strict");
});

test("it is stored for the user alone, through no link, and what is damaged tells nothing", async () => {
  await using home = await temporaryFolder();
  const path = lastContainmentFile(home.path);
  compareContainment(home.path, at("strict"), "here 0");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  writeFileSync(path, "{");
  expect(compareContainment(home.path, at("process"), "here 0")).toBe(null);

  await using other = await temporaryFolder();
  const target = join(other.path, "target");
  const link = lastContainmentFile(other.path);
  mkdirSync(dirname(link));
  writeFileSync(target, "kept");
  symlinkSync(target, link);
  expect(compareContainment(other.path, at("strict"), "here 0")).toBe(null);
  expect(readFileSync(target, "utf8")).toBe("kept");
});
