import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { calibrateJudge } from "./calibrate-judge.ts";
import { readTriggerSkills } from "./read-trigger-skills.ts";

test("a pipe without a writer holds nobody up, as a set or as labels", async () => {
  await using folder = await temporaryFolder();
  const cwd = folder.path;
  execFileSync("mkfifo", [join(cwd, "pipe")]);
  mkdirSync(join(cwd, "folder"));
  for (const path of ["pipe", "folder"]) {
    const reading = { sets: [path], cwd, exclude: [], isSkipped: false };
    const asSet = readTriggerSkills([], { skills: [], notLoaded: [], duplicates: [], warnings: [] }, reading);
    const asLabels = calibrateJudge({ gold: path, options: { cwd } } as never);
    for (const reads of [asSet, asLabels])
      await expect(reads).rejects.toMatchObject({
        code: "suite-invalid",
        message: `${path} is not a regular file`,
      });
  }
});
