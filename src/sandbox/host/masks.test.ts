import { realpathSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { skillFolder } from "../../../test/strict-sandbox.ts";
import { masksFor } from "./masks.ts";

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
