import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sampleSkill } from "../../test/sample-cell.ts";
import { temporaryFolder } from "../../test/temporary-folder.ts";
import { ModuleConfig } from "../contract/unit-skill.ts";
import { moduleEntry } from "./module-entry.ts";

const config = ModuleConfig.parse({ type: "custom" });

async function skillFolder() {
  const folder = await temporaryFolder();
  const dir = join(folder.path, "skill");
  mkdirSync(dir);
  writeFileSync(join(dir, "tool.mjs"), "");
  writeFileSync(join(dir, "tool.py"), "");
  writeFileSync(join(dir, "tool.ts"), "");
  writeFileSync(join(folder.path, "outside.mjs"), "");
  return {
    path: folder.path,
    dir,
    entry: (entrypoint: string) =>
      moduleEntry(
        sampleSkill({
          dir,
          manifest: join(dir, "skill.json"),
          adapter: { type: "custom", entrypoint, config },
        }),
      ),
    [Symbol.asyncDispose]: folder[Symbol.asyncDispose],
  };
}

test("an entrypoint is a module and perhaps one of its exports", async () => {
  await using skill = await skillFolder();
  const file = join(skill.dir, "tool.mjs");
  expect(skill.entry("./tool.mjs")).toEqual({ file, exportName: null });
  expect(skill.entry("tool.mjs#search")).toEqual({ file, exportName: "search" });
});

test.each([
  ["./missing.mjs", "adapter-invalid", /is missing/],
  ["./tool.mjs#", "adapter-invalid", /no module or no export/],
  ["#search", "adapter-invalid", /no module or no export/],
  [".", "adapter-invalid", /is missing/],
  ["./tool.py", "adapter-invalid", /not a JavaScript or TypeScript/],
  ["../outside.mjs", "path-outside-skill", /outside the skill folder/],
  ["../missing.mjs", "path-outside-skill", /outside the skill folder/],
  ["/etc/passwd", "path-outside-skill", /outside the skill folder/],
])("%s is refused as %s", async (entrypoint, code, message) => {
  await using skill = await skillFolder();
  expect(() => skill.entry(entrypoint)).toThrow(
    expect.objectContaining({ code, jsonPath: "$.entrypoint", message: expect.stringMatching(message) }),
  );
});

test("a link that leaves the folder is followed and refused, one that stays is fine", async () => {
  await using skill = await skillFolder();
  symlinkSync(join(skill.path, "outside.mjs"), join(skill.dir, "leaves.mjs"));
  symlinkSync(join(skill.dir, "tool.mjs"), join(skill.dir, "stays.mjs"));
  expect(() => skill.entry("./leaves.mjs")).toThrow(expect.objectContaining({ code: "path-outside-skill" }));
  expect(skill.entry("./stays.mjs").file).toBe(join(skill.dir, "stays.mjs"));
});

test("TypeScript needs a Node that reads it", async () => {
  await using skill = await skillFolder();
  if ((process.features as { typescript?: unknown }).typescript) {
    expect(skill.entry("./tool.ts").file).toBe(join(skill.dir, "tool.ts"));
  } else {
    expect(() => skill.entry("./tool.ts")).toThrow(/needs Node 22.18 or newer/);
  }
});
