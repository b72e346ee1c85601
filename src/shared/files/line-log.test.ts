import { appendFileSync, fdatasync, readFileSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readJsonLines } from "../json/json-lines.ts";
import { type Disk, realDisk } from "./disk.ts";
import { LineLog } from "./line-log.ts";

const noRoom = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
const broken = Object.assign(new Error("EIO: i/o error"), { code: "EIO" });

async function logFile(content?: string | Buffer): Promise<AsyncDisposable & { file: string }> {
  const folder = await temporaryFolder();
  const file = join(folder.path, "log.jsonl");
  if (content !== undefined) writeFileSync(file, content);
  return { file, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
}

describe("appending", () => {
  test("puts lines into the file, in order, before it reports done", async () => {
    await using temp = await logFile();
    const log = new LineLog(temp.file);

    await Promise.all(["1", "2", "3"].map((line) => log.append(line)));

    expect(readFileSync(temp.file, "utf8")).toBe("1\n2\n3\n");
    await log.close();
  });

  test("goes on after what is there", async () => {
    await using temp = await logFile('{"old":1}\n');
    const log = new LineLog(temp.file);
    await log.append('{"new":1}');
    await log.close();
    expect(log.droppedBytes).toBe(0);
    expect(readJsonLines(temp.file)).toEqual({ values: [{ old: 1 }, { new: 1 }], problems: [] });
  });

  test("several at once share a sync", async () => {
    await using temp = await logFile();
    let syncs = 0;
    const disk: Disk = {
      ...realDisk,
      syncContent(file, done) {
        syncs++;
        fdatasync(file, done);
      },
    };
    const log = new LineLog(temp.file, disk);
    await Promise.all(Array.from({ length: 500 }, (_, line) => log.append(String(line))));
    await log.close();
    expect(syncs).toBeLessThan(10);
  });

  test("does not report done before the sync is", async () => {
    await using temp = await logFile();
    let finishSync: () => void = () => {};
    let isDone = false;
    const synced = new Promise<void>((reached) => {
      const log = new LineLog(temp.file, {
        ...realDisk,
        syncContent: (_, done) => {
          finishSync = () => done(null);
          reached();
        },
      });
      void log.append("line").then(() => {
        isDone = true;
      });
    });
    await synced;
    expect(isDone).toBe(false);
    finishSync();
    await expect.poll(() => isDone).toBe(true);
  });

  test("closing writes what is waiting, and may be done twice", async () => {
    await using temp = await logFile();
    const log = new LineLog(temp.file);
    const line = log.append("last");
    await log.close();
    await log.close();
    await line;
    expect(readFileSync(temp.file, "utf8")).toBe("last\n");
  });

  test("after closing is refused", async () => {
    await using temp = await logFile();
    const log = new LineLog(temp.file);
    await log.close();
    await expect(log.append("late")).rejects.toThrow(/is closed/);
  });
});

describe("fault row 3: a disk that is full", () => {
  /** Takes so many bytes, then no more: as a full disk does. */
  function fullAfter(freeBytes: number): Disk {
    let left = freeBytes;
    return {
      ...realDisk,
      write(file, bytes, from) {
        const part = Math.min(left, bytes.length - from);
        if (part === 0) throw noRoom;
        left -= part;
        return writeSync(file, bytes, from, part);
      },
    };
  }

  for (const freeBytes of [0, 1, 27, 39, 40, 41, 60, 79]) {
    test(`after ${freeBytes} bytes leaves a log that ends at a newline and has every line that was reported written`, async () => {
      await using temp = await logFile();
      const log = new LineLog(temp.file, fullAfter(freeBytes));
      const reported: number[] = [];
      for (const number of [1, 2]) {
        const line = JSON.stringify({ number, text: "x".repeat(17) }); // 40 bytes with its newline
        await log.append(line).then(
          () => reported.push(number),
          (error) => expect(error).toBe(noRoom),
        );
      }
      await log.close();

      const content = readFileSync(temp.file, "utf8");
      expect(content === "" || content.endsWith("\n")).toBe(true);
      expect(readJsonLines(temp.file)).toEqual({
        values: reported.map((number) => ({ number, text: "x".repeat(17) })),
        problems: [],
      });
    });
  }
});

describe("fault row 4: EIO on sync", () => {
  test("is not reported as written, and neither is anything after it", async () => {
    await using temp = await logFile();
    let syncs = 0;
    const log = new LineLog(temp.file, {
      ...realDisk,
      syncContent: (file, done) => (++syncs === 2 ? done(broken) : fdatasync(file, done)),
    });

    await log.append("1");
    await expect(log.append("2")).rejects.toBe(broken);
    // A kernel forgets what it could not write: the next sync would succeed and mean nothing.
    await expect(log.append("3")).rejects.toBe(broken);
    await log.close();

    expect(syncs).toBe(2);
    expect(readFileSync(temp.file, "utf8").startsWith("1\n")).toBe(true);
  });
});

describe("fault row 5: a damaged log", () => {
  const three = '{"n":1}\n{"n":2}\n{"n":3}\n';

  test("a torn tail is dropped by the reader with a warning", async () => {
    await using temp = await logFile(three);
    truncateSync(temp.file, three.length - 4);
    expect(readJsonLines(temp.file)).toEqual({
      values: [{ n: 1 }, { n: 2 }],
      problems: ["line 3 is incomplete and was dropped"],
    });
  });

  test("a last line without its newline was never reported as written, and is dropped though it could be read", async () => {
    await using temp = await logFile(three.slice(0, -1));
    expect(readJsonLines(temp.file).values).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("a torn tail is cut off by the writer, which says how much, and the log goes on", async () => {
    await using temp = await logFile(`${three}{"n":4`);
    const log = new LineLog(temp.file);
    await log.append('{"n":5}');
    await log.close();
    expect(log.droppedBytes).toBe(6);
    expect(readFileSync(temp.file, "utf8")).toBe(`${three}{"n":5}\n`);
  });

  test("a torn tail longer than any buffer is cut off too", async () => {
    await using temp = await logFile(`${three}${"x".repeat(200_000)}`);
    const log = new LineLog(temp.file);
    await log.close();
    expect(log.droppedBytes).toBe(200_000);
    expect(readFileSync(temp.file, "utf8")).toBe(three);
  });

  test("a file that is nothing but a torn line becomes empty", async () => {
    await using temp = await logFile("x".repeat(70_000));
    await new LineLog(temp.file).close();
    expect(readFileSync(temp.file, "utf8")).toBe("");
  });

  test("a tail of NUL bytes, as a power loss leaves it, is dropped by reader and writer", async () => {
    await using temp = await logFile(Buffer.concat([Buffer.from(three), Buffer.alloc(4096)]));
    expect(readJsonLines(temp.file)).toEqual({
      values: [{ n: 1 }, { n: 2 }, { n: 3 }],
      problems: ["line 4 is incomplete and was dropped"],
    });
    const log = new LineLog(temp.file);
    await log.close();
    expect(log.droppedBytes).toBe(4096);
    expect(readFileSync(temp.file, "utf8")).toBe(three);
  });

  test("garbage inside is named by its line, and the rest is there", async () => {
    await using temp = await logFile('{"n":1}\n{"n":#!\n{"n":3}\n\0\0\0\n{"n":5}\n');
    expect(readJsonLines(temp.file)).toEqual({
      values: [{ n: 1 }, { n: 3 }, { n: 5 }],
      problems: ["line 2 is damaged and was skipped", "line 4 is damaged and was skipped"],
    });
  });

  test("a byte that changed inside a text is damage, not a replacement character", async () => {
    const bytes = Buffer.from('{"n":1}\n{"s":"abc"}\n{"n":3}\n');
    bytes[bytes.indexOf("abc") + 1] = 0xff;
    await using temp = await logFile(bytes);
    expect(readJsonLines(temp.file)).toEqual({
      values: [{ n: 1 }, { n: 3 }],
      problems: ["line 2 is damaged and was skipped"],
    });
  });

  test("empty lines and carriage returns are no damage", async () => {
    await using temp = await logFile('{"n":1}\r\n\r\n\n{"n":2}\r\n');
    expect(readJsonLines(temp.file)).toEqual({ values: [{ n: 1 }, { n: 2 }], problems: [] });
  });

  test("an empty log is a log", async () => {
    await using temp = await logFile("");
    expect(readJsonLines(temp.file)).toEqual({ values: [], problems: [] });
  });

  test("cut at every single byte it can be read, and no line is there in part", async () => {
    for (let length = 0; length <= three.length; length++) {
      await using temp = await logFile(three.slice(0, length));
      const { values } = readJsonLines(temp.file);
      expect(values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }].slice(0, Math.floor(length / 8)));
    }
  });

  test("lines appended by others meanwhile are not disturbed", async () => {
    await using temp = await logFile();
    const log = new LineLog(temp.file);
    await log.append("1");
    appendFileSync(temp.file, "other\n");
    await log.append("2");
    await log.close();
    expect(readFileSync(temp.file, "utf8")).toBe("1\nother\n2\n");
  });
});
