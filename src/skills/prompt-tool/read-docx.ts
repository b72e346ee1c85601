import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { shownText } from "../../shared/text/visible-text.ts";

export type DocxReading =
  | {
      ok: true;
      text: string;
      /** How many of each kind of thing were left out, such as `header` or `image`. */
      unread: Readonly<Record<string, number>>;
    }
  | { ok: false; problem: string };

/** What one file may cost. */
export interface DocxLimits {
  /** Of all its parts that hold text; images are not unpacked. */
  unpackedCapBytes: number;
  timeMs: number;
  memoryMb: number;
}

export const docxLimits: DocxLimits = { unpackedCapBytes: 16 * 1024 * 1024, timeMs: 20_000, memoryMb: 512 };

/** The text of a .docx: paragraphs and table cells in the order of the document. Nothing in a file can hang or crash us. */
export async function readDocx(bytes: Uint8Array, limits = docxLimits): Promise<DocxReading> {
  if (!startsWith(bytes, zipStart)) return { ok: false, problem: noArchive(bytes) };
  const thread = new Worker(program(), {
    workerData: { bytes, unpackedCapBytes: limits.unpackedCapBytes },
    resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
    execArgv: [],
    env: {},
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<DocxReading>((resolve) => {
      const fail = (problem: string) => resolve({ ok: false, problem });
      thread.once("message", (message) => resolve({ ok: true, ...message }));
      thread.once("error", (error) => fail(inWords(error)));
      thread.once("exit", () => fail("reading it ended early"));
      timer = setTimeout(() => fail("reading it takes too long"), limits.timeMs);
    });
  } finally {
    clearTimeout(timer);
    await thread.terminate();
  }
}

const zipStart = [0x50, 0x4b, 0x03, 0x04];
const oldWordStart = [0xd0, 0xcf, 0x11, 0xe0];

function noArchive(bytes: Uint8Array): string {
  return startsWith(bytes, oldWordStart)
    ? "it is an old .doc file, or password-protected"
    : "it is not a zip archive";
}

function startsWith(bytes: Uint8Array, start: readonly number[]): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}

/** Next to this file when run from source, next to the bundle under the name the build gives it. */
function program(): URL {
  const source = new URL("./docx-thread.mjs", import.meta.url);
  return existsSync(fileURLToPath(source)) ? source : new URL("./docx-thread.js", import.meta.url);
}

function inWords(error: Error & { code?: string }): string {
  if (error.code === "ERR_WORKER_OUT_OF_MEMORY") return "reading it takes too much memory";
  if (error instanceof RangeError) return "it is nested too deep";
  if (/central directory|corrupted zip|size mismatch|CRC32/i.test(error.message)) return "it is damaged";
  return shownText(error.message, 200);
}
