import { mkdirSync, realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { realPath, whereLinkLeads } from "./paths.ts";

test("a path is followed as far as something is there, and goes on by its names", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, "real/deep"), { recursive: true });
  symlinkSync("real", join(root, "link"));

  expect(realPath(join(root, "link/deep"))).toBe(join(root, "real/deep"));
  expect(realPath(join(root, "link/gone/x"))).toBe(join(root, "real/gone/x"));
  expect(realPath(join(root, "gone/\0/x"))).toBe(join(root, "gone/\0/x"));
});

test("a step up counts from where the links before it led, and from nowhere it leads back", async () => {
  await using folder = await temporaryFolder();
  const root = realpathSync(folder.path);
  mkdirSync(join(root, "a/b"), { recursive: true });
  symlinkSync("a/b", join(root, "short"));
  const leads = (name: string, target: string) => {
    symlinkSync(target, join(root, name));
    return whereLinkLeads(join(root, name));
  };

  expect(leads("1", "short/../x")).toBe(join(root, "a/x"));
  expect(leads("2", "gone/../short/x")).toBe(join(root, "a/b/x"));
  expect(leads("3", "gone/../../x")).toBe(join(root, "../x"));
  expect(leads("4", "/")).toBe("/");
  expect(leads("5", "5")).toBe(join(root, "5"));
});

test("a path of a hundred thousand steps is only long", () => {
  const way = "/gone".repeat(100_000);

  expect(realPath(way) === way).toBe(true);
});
