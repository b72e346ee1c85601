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
  test("puts lines into the file, in order, before it is told done", async () => {
    await using place = await logFile();
    const log = new LineLog(place.file);

    await Promise.all(["1", "2", "3"].map((line) => log.append(line)));

    expect(readFileSync(place.file, "utf8")).toBe("1\n2\n3\n");
    await log.close();
  });

  test("goes on after what is there", async () => {
    await using place = await logFile('{"old":1}\n');
    const log = new LineLog(place.file);
    await log.append('{"new":1}');
    await log.close();
    expect(log.droppedBytes).toBe(0);
    expect(readJsonLines(place.file)).toEqual({ values: [{ old: 1 }, { new: 1 }], problems: [] });
  });

  test("several at once share a sync", async () => {
    await using place = await logFile();
    let syncs = 0;
    const disk: Disk = {
      ...realDisk,
      syncContent(file, done) {
        syncs++;
        fdatasync(file, done);
      },
    };
    const log = new LineLog(place.file, disk);
    await Promise.all(Array.from({ length: 500 }, (_, line) => log.append(String(line))));
    await log.close();
    expect(syncs).toBeLessThan(10);
  });

  test("is not told done before the sync is", async () => {
    await using place = await logFile();
    let finishSync: () => void = () => {};
    let isDone = false;
    const synced = new Promise<void>((reached) => {
      const log = new LineLog(place.file, {
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
    await using place = await logFile();
    const log = new LineLog(place.file);
    const line = log.append("last");
    await log.close();
    await log.close();
    await line;
    expect(readFileSync(place.file, "utf8")).toBe("last\n");
  });

  test("after closing is refused", async () => {
    await using place = await logFile();
    const log = new LineLog(place.file);
    await log.close();
    await expect(log.append("late")).rejects.toThrow(/is closed/);
  });
});

describe("fault row 3: a disk that is full", () => {
  /** Takes so many bytes, then no more: as a full disk does. */
  function fullAfter(room: number): Disk {
    let left = room;
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

  for (const room of [0, 1, 27, 39, 40, 41, 60, 79]) {
    test(`after ${room} bytes leaves a log that ends at a newline and has every line that was reported written`, async () => {
      await using place = await logFile();
      const log = new LineLog(place.file, fullAfter(room));
      const reported: number[] = [];
      for (const number of [1, 2]) {
        const line = JSON.stringify({ number, text: "x".repeat(17) }); // 40 bytes with its newline
        await log.append(line).then(
          () => reported.push(number),
          (error) => expect(error).toBe(noRoom),
        );
      }
      await log.close();

      const content = readFileSync(place.file, "utf8");
      expect(content === "" || content.endsWith("\n")).toBe(true);
      expect(readJsonLines(place.file)).toEqual({
        values: reported.map((number) => ({ number, text: "x".repeat(17) })),
        problems: [],
      });
    });
  }
});

describe("fault row 4: EIO on sync", () => {
  test("is not told written, and neither is anything after it", async () => {
    await using place = await logFile();
    let syncs = 0;
    const log = new LineLog(place.file, {
      ...realDisk,
      syncContent: (file, done) => (++syncs === 2 ? done(broken) : fdatasync(file, done)),
    });

    await log.append("1");
    await expect(log.append("2")).rejects.toBe(broken);
    // A kernel forgets what it could not write: the next sync would succeed and mean nothing.
    await expect(log.append("3")).rejects.toBe(broken);
    await log.close();

    expect(syncs).toBe(2);
    expect(readFileSync(place.file, "utf8").startsWith("1\n")).toBe(true);
  });
});

describe("fault row 5: a damaged log", () => {
  const three = '{"n":1}\n{"n":2}\n{"n":3}\n';

  test("a torn tail is dropped by the reader with a warning", async () => {
    await using place = await logFile(three);
    truncateSync(place.file, three.length - 4);
    expect(readJsonLines(place.file)).toEqual({
      values: [{ n: 1 }, { n: 2 }],
      problems: ["line 3 is incomplete and was dropped"],
    });
  });

  test("a last line without its newline was never told written, and is dropped though it could be read", async () => {
    await using place = await logFile(three.slice(0, -1));
    expect(readJsonLines(place.file).values).toEqual([{ n: 1 }, { n: 2 }]);
  });

  test("a torn tail is cut off by the writer, which says how much, and the log goes on", async () => {
    await using place = await logFile(`${three}{"n":4`);
    const log = new LineLog(place.file);
    await log.append('{"n":5}');
    await log.close();
    expect(log.droppedBytes).toBe(6);
    expect(readFileSync(place.file, "utf8")).toBe(`${three}{"n":5}\n`);
  });

  test("a torn tail longer than any buffer is cut off too", async () => {
    await using place = await logFile(`${three}${"x".repeat(200_000)}`);
    const log = new LineLog(place.file);
    await log.close();
    expect(log.droppedBytes).toBe(200_000);
    expect(readFileSync(place.file, "utf8")).toBe(three);
  });

  test("a file that is nothing but a torn line becomes empty", async () => {
    await using place = await logFile("x".repeat(70_000));
    await new LineLog(place.file).close();
    expect(readFileSync(place.file, "utf8")).toBe("");
  });

  test("a tail of NUL bytes, as a power loss leaves it, is dropped by reader and writer", async () => {
    await using place = await logFile(Buffer.concat([Buffer.from(three), Buffer.alloc(4096)]));
    expect(readJsonLines(place.file)).toEqual({
      values: [{ n: 1 }, { n: 2 }, { n: 3 }],
      problems: ["line 4 is incomplete and was dropped"],
    });
    const log = new LineLog(place.file);
    await log.close();
    expect(log.droppedBytes).toBe(4096);
    expect(readFileSync(place.file, "utf8")).toBe(three);
  });

  test("garbage inside is named by its line, and the rest is there", async () => {
    await using place = await logFile('{"n":1}\n{"n":#!\n{"n":3}\n\0\0\0\n{"n":5}\n');
    expect(readJsonLines(place.file)).toEqual({
      values: [{ n: 1 }, { n: 3 }, { n: 5 }],
      problems: ["line 2 is damaged and was skipped", "line 4 is damaged and was skipped"],
    });
  });

  test("a byte that changed inside a text is damage, not a replacement character", async () => {
    const bytes = Buffer.from('{"n":1}\n{"s":"abc"}\n{"n":3}\n');
    bytes[bytes.indexOf("abc") + 1] = 0xff;
    await using place = await logFile(bytes);
    expect(readJsonLines(place.file)).toEqual({
      values: [{ n: 1 }, { n: 3 }],
      problems: ["line 2 is damaged and was skipped"],
    });
  });

  test("empty lines and carriage returns are no damage", async () => {
    await using place = await logFile('{"n":1}\r\n\r\n\n{"n":2}\r\n');
    expect(readJsonLines(place.file)).toEqual({ values: [{ n: 1 }, { n: 2 }], problems: [] });
  });

  test("an empty log is a log", async () => {
    await using place = await logFile("");
    expect(readJsonLines(place.file)).toEqual({ values: [], problems: [] });
  });

  test("cut at every single byte it can be read, and no line is there in part", async () => {
    for (let length = 0; length <= three.length; length++) {
      await using place = await logFile(three.slice(0, length));
      const { values } = readJsonLines(place.file);
      expect(values).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }].slice(0, Math.floor(length / 8)));
    }
  });

  test("lines appended by others meanwhile are not disturbed", async () => {
    await using place = await logFile();
    const log = new LineLog(place.file);
    await log.append("1");
    appendFileSync(place.file, "other\n");
    await log.append("2");
    await log.close();
    expect(readFileSync(place.file, "utf8")).toBe("1\nother\n2\n");
  });
});
