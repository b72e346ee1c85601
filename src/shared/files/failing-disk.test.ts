import { existsSync, openSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { diskFaults, failEveryOperation } from "../../../test/failing-disk.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readJsonLines } from "../json/json-lines.ts";
import { type Disk, writeFully } from "./disk.ts";
import { LineLog } from "./line-log.ts";
import { copyWholeFile, renameWholeFile, writeWholeFile } from "./whole-file.ts";

test("fault row 3: a disk without room throws instead of writing in part", () => {
  expect(() => writeFully(openSync("/dev/full", "w"), Buffer.from("x"))).toThrow(/ENOSPC/);
});

describe.each(diskFaults)(
  "fault rows 3 and 4: %s at every single operation",
  { timeout: 120_000 },
  (fault) => {
    test("of a line log: what was reported as written is there, it ends at a newline, and it goes on when there is room", async () => {
      const count = await failEveryOperation(fault, async (disk) => {
        await using folder = await temporaryFolder();
        const path = join(folder.path, "log.jsonl");
        writeFileSync(path, '{"line":0}\n{"torn');

        const { reported, wasOpened } = await tryToLog(path, disk);

        const { values, problems } = readJsonLines(path);
        expect(readLines(values).filter((line) => reported.includes(line))).toEqual(reported);
        if (wasOpened) expect(problems).toEqual([]);
        expect((await tryToLog(path)).reported).toEqual([0, 1, 2, 3, 4]);
        expect(readJsonLines(path).problems).toEqual([]);
      });
      expect(count).toBeGreaterThan(5);
    });

    test("of a whole file: a reader sees the old one or the new one, and nothing else is left", async () => {
      const count = await failEveryOperation(fault, async (disk) => {
        await using folder = await temporaryFolder();
        const [path, copy] = [join(folder.path, "report.json"), join(folder.path, "copy.json")];
        writeFileSync(path, "old");

        const isReported = succeeds(() => {
          writeWholeFile(path, ["new ".repeat(20_000), "end"], { disk });
          copyWholeFile(path, copy, disk);
        });

        const content = readFileSync(path, "utf8");
        expect(content === "old" || content === `${"new ".repeat(20_000)}end`).toBe(true);
        if (isReported) expect(readFileSync(copy, "utf8")).toBe(content);
        if (existsSync(copy)) expect(readFileSync(copy, "utf8")).toBe(content);
        expect(readdirSync(folder.path).filter((name) => name.endsWith(".tmp"))).toEqual([]);
      });
      expect(count).toBeGreaterThan(10);
    });

    test("of giving a file its name: it has the old name or the new one, never none", async () => {
      await failEveryOperation(fault, async (disk) => {
        await using folder = await temporaryFolder();
        const [from, to] = [join(folder.path, "half"), join(folder.path, "whole")];
        writeFileSync(from, "content");

        const isReported = succeeds(() => renameWholeFile(from, to, disk));

        expect(readFileSync(existsSync(to) ? to : from, "utf8")).toBe("content");
        if (isReported) expect(existsSync(to)).toBe(true);
      });
    });
  },
);

/** Logs four lines, two of them together, and returns those that were reported as written; line 0 was there before. */
async function tryToLog(path: string, disk?: Disk): Promise<{ reported: number[]; wasOpened: boolean }> {
  const reported = [0];
  let log: LineLog;
  try {
    log = new LineLog(path, disk);
  } catch {
    return { reported, wasOpened: false };
  }
  for (const together of [[1], [2, 3], [4]]) {
    const ends = await Promise.allSettled(together.map((line) => log.append(JSON.stringify({ line }))));
    reported.push(...together.filter((_, index) => ends[index]?.status === "fulfilled"));
  }
  await log.close();
  return { reported, wasOpened: true };
}

function readLines(values: readonly unknown[]): number[] {
  return values.map((value) => (value as { line: number }).line);
}

function succeeds(work: () => void): boolean {
  try {
    work();
    return true;
  } catch {
    return false;
  }
}
