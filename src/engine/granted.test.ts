import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { openPermissions } from "../config/grants/open-permissions.ts";
import { describeGrants } from "../contract/grant.ts";
import { realPath } from "../shared/files/paths.ts";
import { shownPaths } from "./granted.ts";

function permissionsIn(cwd: string, typed: readonly string[], configured: readonly string[] = []) {
  return openPermissions({ cwd, project: cwd, typed, configured: { [cwd]: configured } });
}

test("fault row 73: what is granted to be read is shown to skills, and the run says so", async () => {
  await using folder = await temporaryFolder();
  const cwd = realPath(folder.path);
  for (const name of ["shared", "own"]) mkdirSync(join(cwd, name));
  const permissions = permissionsIn(cwd, ["read:shared"], ["read:own", "read:gone"]);

  expect(shownPaths({ permissions })).toEqual([join(cwd, "shared"), join(cwd, "own")]);
  expect(permissions.granted().map(({ value, by }) => [value, by])).toEqual([
    [join(cwd, "shared"), "flag"],
    [join(cwd, "own"), "user file"],
  ]);
  expect(describeGrants(permissions.granted())).toEqual([
    `shows ${join(cwd, "shared")}, ${join(cwd, "own")} to every skill`,
  ]);
  expect(shownPaths({})).toEqual([]);
});

test("fault row 73: what was granted to a file that asked is not shown to skills as well", async () => {
  await using folder = await temporaryFolder();
  const cwd = realPath(folder.path);
  for (const name of ["shared", "scorers"]) mkdirSync(join(cwd, name));
  const permissions = permissionsIn(cwd, ["read:shared", "read:scorers"]);
  const value = join(cwd, "scorers/strict.mjs");
  const of = { subject: "bench.json", asker: "benchmark", to: null, file: "bench.json", steps: [] } as const;
  permissions.require([{ ...of, kind: "read", value, purpose: "read for evaluator.customScorerPath" }]);

  expect(shownPaths({ permissions })).toEqual([join(cwd, "shared")]);
});

test("a folder that is not there, or that the sandbox makes itself, cannot be granted by a flag", async () => {
  await using folder = await temporaryFolder();
  for (const grant of ["read:gone", "read:/", "read:/tmp", "read:/etc"])
    expect(() => shownPaths({ permissions: permissionsIn(folder.path, [grant]) })).toThrow(/read/);
});
