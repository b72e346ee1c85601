import { mkdirSync, readFileSync } from "node:fs";
import { describe, expect } from "vitest";
import { emptyProject } from "../built-cli.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { breakableRun, expectNamedFile, expectNothingCorrupt } from "./broken-run.ts";
import { type SmallDisk, smallDisk, tmpfs } from "./small-disk.ts";
import { testWith } from "./tools.ts";

/** Runs on a disk that fills up, looks at what is left, makes room and finishes. Returns whether it filled up. */
async function fillUp(
  mount: (file: string) => string,
  makeRoom: (disk: SmallDisk) => void,
): Promise<boolean> {
  await using project = await emptyProject();
  mkdirSync(project.at("run"));
  const run = await breakableRun(project, { cells: 60, words: 1500 });
  await using disk = await smallDisk(project.at("run"), mount(project.at("disk.img")));
  const under = disk.inside(project.path);

  const ended = await run.begin({ under });
  if (ended.code === 0) return false;

  expectNamedFile(ended, "run/");
  expect(ended.document.error.message).toMatch(/full|ENOSPC|no space left|disk I\/O error/);
  await using left = await temporaryFolder();
  disk.copyTo(left.path);
  await expectNothingCorrupt(left.path);
  const log = readLog(`${left.path}/reports/.eval.jsonl`);
  expect(log === "" || log.endsWith("\n")).toBe(true);
  makeRoom(disk);
  await run.finish({ under });
  return true;
}

function readLog(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** Mounts a new ext4 file system of 8 MB in this file and fills all but a little of it with ballast. */
function ext4(file: string): string {
  const fill = 'head -c 6200000 /dev/zero > "$1/ballast" || true';
  return `truncate -s 8M ${file} && mkfs.ext4 -q ${file} && with_ballast() { mount -o loop ${file} "$1" && { ${fill}; }; } && with_ballast`;
}

describe("fault row 3: a disk that is full is reported with its path and cause, and nothing is lost", () => {
  testWith("smallDisk")("a tmpfs of every size up to one that holds the run", async () => {
    const makeRoom = (disk: SmallDisk) => disk.remount("size=64m");
    let tooSmall = 0;
    for (let kilobytes = 16; await fillUp(() => tmpfs(`${kilobytes}k`), makeRoom); kilobytes += 48)
      tooSmall++;
    expect(tooSmall).toBeGreaterThan(10);
  });

  testWith("smallDisk", "loopDisk")("an ext4 file system with little room left", async () => {
    expect(await fillUp(ext4, (disk) => disk.remove("ballast"))).toBe(true);
  });
});
