import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { Diagnostics } from "../../contract/diagnostics.ts";
import { describeSkill } from "../describe-skill.ts";
import { SkillFolder } from "../folder/skill-folder.ts";

test("the interpreter of a virtual environment may be a link out of the folder, and no other file", async () => {
  await using temporary = await temporaryFolder();
  const dir = join(temporary.path, "calc");
  mkdirSync(join(dir, ".venv/bin"), { recursive: true });
  symlinkSync("/bin/sh", join(dir, ".venv/bin/python"));
  symlinkSync("/bin/sh", join(dir, "python"));
  writeFileSync(join(dir, "main.py"), "");
  const problems = async (entrypoint: string) => {
    const manifest = { id: "calc", name: "Calc", version: "1.0.0", description: "Does sums." };
    const text = JSON.stringify({ ...manifest, adapterType: "subprocess", entrypoint });
    writeFileSync(join(dir, "skill.json"), text);
    const diagnostics = new Diagnostics("lenient", "calc");
    await describeSkill(new SkillFolder(dir), "project", diagnostics);
    return diagnostics.list().filter(({ code }) => code === "SKU04").length;
  };

  expect(await problems(".venv/bin/python main.py")).toBe(0);
  expect(await problems("./python main.py")).toBe(1);
  expect(await problems(".venv/bin/gone main.py")).toBe(1);
});
