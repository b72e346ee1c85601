import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillFolder } from "../../../test/strict-sandbox.ts";
import { evalMaterial, masksFor } from "./masks.ts";

test("only what exists in a shown folder is masked, each place once and nothing below a masked folder", async () => {
  await using folder = await skillFolder({ "store/runs.db": "", "key.txt": "", "a/b.txt": "" });
  const root = realpathSync(folder.path);
  symlinkSync("key.txt", join(root, "link.txt"));
  const hidden = ["store/runs.db", "store", "key.txt", "link.txt", "absent", "."].map((name) =>
    join(root, name),
  );
  expect(masksFor([{ source: root, at: "/skill" }], ["/etc/passwd", ...hidden])).toEqual([
    { source: join(root, "store"), at: "/skill/store", isFolder: true },
    { source: join(root, "key.txt"), at: "/skill/key.txt", isFolder: false },
  ]);
});

test("expectations of a skill are its eval.yaml, its evals and the eval files among its tests", async () => {
  await using folder = await skillFolder({ "tests/a.eval.json": "", "tests/a.txt": "", "b.eval.json": "" });
  expect(evalMaterial(folder.path)).toEqual(
    ["eval.yaml", "evals", "tests/a.eval.json"].map((name) => join(folder.path, name)),
  );
});

test("tests with more eval files than bubblewrap takes flags for are hidden as a whole", async () => {
  const many = Array.from({ length: 501 }, (_, number) => [`tests/${number}.eval.json`, ""]);
  await using folder = await skillFolder(Object.fromEntries(many));
  expect(evalMaterial(folder.path)).toEqual(
    ["eval.yaml", "evals", "tests"].map((name) => join(folder.path, name)),
  );
});
