import { expect, test } from "vitest";
import type { Fix } from "../../contract/findings.ts";
import { fixDiffs, fixText } from "./fix-text.ts";

const head = "---\r\nname: a\r\n";
const fix: Fix = {
  file: "skill.md",
  newFile: "SKILL.md",
  before: `${head}version: 1\r\n---\r\n\u001b[31m# A\r\n`,
  after: `${head}metadata:\r\n  version: "1"\r\n---\r\n\u001b[31m# A\r\n`,
  codes: ["SKD07", "SKM10"],
};
const renamed: Fix = { ...fix, after: fix.before, codes: ["SKD07"] };

test("what was fixed is a diff below the name of its file, harmless and without line ends", async () => {
  const diffs = await fixDiffs([{ folder: "skills/技", fixes: [fix, renamed], unwritten: [] }]);

  expect(diffs[0]).toMatchObject({ file: "skills/技/skill.md", newFile: "skills/技/SKILL.md" });
  expect(fixText(diffs, { color: false })).toBe(
    `fixed skills/技/skill.md → skills/技/SKILL.md  SKD07 SKM10
--- skills/技/skill.md
+++ skills/技/SKILL.md
@@ -1,5 +1,6 @@
 ---
 name: a
-version: 1
+metadata:
+  version: "1"
 ---
 \\e[31m# A

fixed skills/技/skill.md → skills/技/SKILL.md  SKD07

2 files fixed
`,
  );
});

test("of nothing, nothing is said", async () => {
  expect(fixText(await fixDiffs([]), { color: true })).toBe("");
});
