import { mkdtempSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { subjectName } from "../contract/cell.ts";
import type { CellFilter, CellReader } from "../contract/format.ts";
import type { SuiteRun } from "../contract/level.ts";
import type { Quarantined } from "../contract/quarantine.ts";
import { type CellResult, parseCell } from "../contract/result.ts";
import type { Store } from "../contract/store.ts";
import { openOrClose } from "../shared/async/open-or-close.ts";
import { closeSynced, type Disk, realDisk, writeFully } from "../shared/files/disk.ts";
import { unwritable } from "../shared/user-error.ts";
import { noQuarantine, type Quarantine } from "./quarantine.ts";

/** The cells of a run outside the store: formats read them synchronously, and several times. */
export interface SpooledCells extends Disposable {
  read: CellReader;
  /** How long all texts are together. */
  readonly chars: number;
}

export interface SpoolOptions {
  disk?: Disk | undefined;
  /** Up to this size everything stays in memory. */
  maxCharsInMemory?: number | undefined;
  folder?: string | undefined;
}

/** Reads the cells of these suites once, in their order, into memory while they are few, else into a private temporary file. */
export async function spoolCells(
  store: Pick<Store, "results">,
  runId: string,
  suites: readonly Pick<SuiteRun, "level" | "id" | "subjects" | "shown">[],
  options: SpoolOptions = {},
  quarantine: Quarantine = noQuarantine,
): Promise<SpooledCells> {
  const spool = new Spool(options);
  return openOrClose(
    () => spool[Symbol.dispose](),
    async () => {
      for (const one of suites)
        for (const tested of one.subjects) {
          const { level, id: suite } = one;
          const subject = subjectName(tested);
          const shown = shownCell(one, quarantine.casesOf(one, tested));
          const filter = { level: level.name, suite, subject };
          spool.begin(filter);
          for await (const page of store.results(runId, filter))
            spool.add(
              shown === undefined ? page : page.map((text) => JSON.stringify(shown(parseCell(text)))),
            );
        }
      return spool;
    },
  );
}

/** How a cell of a subject is shown; undefined where that is as it was stored. */
function shownCell(
  { shown }: Pick<SuiteRun, "shown">,
  left: ReadonlyMap<string, Quarantined>,
): ((cell: CellResult) => CellResult) | undefined {
  if (left.size === 0) return shown;
  return (cell) => {
    const quarantine = left.get(cell.caseId);
    const seen = shown === undefined ? cell : shown(cell);
    return quarantine === undefined ? seen : { ...seen, quarantine };
  };
}

/** The cells of one subject: themselves, or where they begin and end in the file. */
type Segment = { texts: string[] } | { from: number; to: number };
type SegmentName = Required<{ [Name in keyof CellFilter]: string }>;

class Spool implements SpooledCells {
  readonly #segments: { name: SegmentName; segment: Segment }[] = [];
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #maxChars: number;
  #current: Segment = { texts: [] };
  #chars = 0;
  #file: SpoolFile | null = null;

  constructor({ disk = realDisk, maxCharsInMemory = 4 << 20, folder = tmpdir() }: SpoolOptions) {
    this.#disk = disk;
    this.#maxChars = maxCharsInMemory;
    this.#folder = folder;
  }

  begin(name: SegmentName): void {
    const at = this.#file?.bytes ?? 0;
    this.#current = this.#file === null ? { texts: [] } : { from: at, to: at };
    this.#segments.push({ name, segment: this.#current });
  }

  add(texts: readonly string[]): void {
    for (const { length } of texts) this.#chars += length;
    if (this.#file === null && this.#chars > this.#maxChars) this.#moveToFile();
    const current = this.#current;
    if ("texts" in current) current.texts.push(...texts);
    else current.to = this.#openFile().append(texts);
  }

  get chars(): number {
    return this.#chars;
  }

  readonly read: CellReader = (filter) => ({
    [Symbol.iterator]: () => this.#texts(filter),
  });

  *#texts({ level, suite, subject }: CellFilter = {}): Generator<string> {
    for (const { name, segment } of this.#segments) {
      if ((level ?? name.level) !== name.level || (suite ?? name.suite) !== name.suite) continue;
      if ((subject ?? name.subject) !== name.subject) continue;
      yield* "texts" in segment ? segment.texts : this.#openFile().lines(segment.from, segment.to);
    }
  }

  [Symbol.dispose](): void {
    this.#file?.[Symbol.dispose]();
  }

  #openFile(): SpoolFile {
    this.#file ??= new SpoolFile(this.#folder, this.#disk);
    return this.#file;
  }

  #moveToFile(): void {
    const file = this.#openFile();
    for (const held of this.#segments) {
      const { segment } = held;
      if (!("texts" in segment)) continue;
      held.segment = { from: file.bytes, to: file.append(segment.texts) };
      if (segment === this.#current) this.#current = held.segment;
    }
  }
}

const hint = "free some room there, or name another temporary folder with TMPDIR";

/** Lines in a private file that is removed on dispose. */
class SpoolFile implements Disposable {
  /** The number of bytes written. */
  bytes = 0;
  readonly #parent: string;
  readonly #folder: string;
  readonly #file: number;
  readonly #disk: Disk;
  #isClosed = false;

  constructor(parent: string, disk: Disk) {
    this.#parent = parent;
    this.#disk = disk;
    try {
      this.#folder = mkdtempSync(join(parent, "eval-skills-cells-")); // of mode 0700
    } catch (error) {
      throw unwritable(parent, error, hint);
    }
    try {
      this.#file = disk.open(join(this.#folder, "cells.jsonl"), "wx+", 0o600);
    } catch (error) {
      this.#remove();
      throw unwritable(parent, error, hint);
    }
    // So that a killed process leaves nothing behind: where the system allows it, the open file has no name any more.
    this.#remove();
  }

  /** Adds texts without line breaks, as JSON is stored; returns where the file ends now. */
  append(texts: readonly string[]): number {
    if (texts.length === 0) return this.bytes;
    const bytes = Buffer.from(`${texts.join("\n")}\n`);
    try {
      writeFully(this.#file, bytes, this.#disk);
    } catch (error) {
      throw unwritable(this.#parent, error, hint);
    }
    this.bytes += bytes.length;
    return this.bytes;
  }

  *lines(from: number, to: number): Generator<string> {
    let buffer = Buffer.allocUnsafe(Math.min(to - from, 1 << 16));
    let held = 0;
    for (let at = from; at < to; ) {
      if (held === buffer.length) buffer = Buffer.concat([buffer], buffer.length * 2); // a line that is longer
      const count = readSync(this.#file, buffer, held, Math.min(buffer.length - held, to - at), at);
      if (count === 0) throw new Error("the temporary file of results ends before they do");
      at += count;
      const filled = buffer.subarray(0, held + count);
      let start = 0;
      for (let end = filled.indexOf(newline, held); end !== -1; end = filled.indexOf(newline, start)) {
        yield filled.toString("utf8", start, end);
        start = end + 1;
      }
      held = filled.copy(buffer, 0, start);
    }
  }

  [Symbol.dispose](): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    closeSynced(this.#file, this.#disk);
    this.#remove();
  }

  #remove(): void {
    try {
      rmSync(this.#folder, { recursive: true, force: true });
    } catch {
      // some systems cannot remove an open file; it is removed when closed
    }
  }
}

const newline = 0x0a;
