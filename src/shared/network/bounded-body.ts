import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

export type Body =
  | { kind: "whole"; bytes: Buffer }
  | { kind: "too-large"; bytesSeen: number }
  | { kind: "broken"; problem: string };

/** Reads a body to its end or to the cap, counted after decompression: what a header says about size is never believed. */
export async function readBody(
  body: Readable,
  encoding: string | undefined,
  capBytes: number,
): Promise<Body> {
  const unpack = unpacker(encoding);
  if (unpack === undefined) {
    body.on("error", () => {}).destroy();
    return { kind: "broken", problem: `unknown content-encoding ${encoding}` };
  }
  const source = unpack === null ? body : body.pipe(unpack);
  // `pipe` does not pass errors on; without this a broken connection would leave the reader waiting.
  if (unpack !== null) body.on("error", (error) => unpack.destroy(error));
  try {
    return await gather(source, capBytes);
  } catch (error) {
    if (isUnpackError(error)) return { kind: "broken", problem: `the body is not valid ${encoding}` };
    throw error;
  } finally {
    body.on("error", () => {}).destroy();
  }
}

/** Listens instead of iterating: an iterator over a stream costs more than a small body itself. */
function gather(source: Readable, capBytes: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    const collected = new Collected(capBytes);
    source.on("data", (chunk: Buffer) => {
      if (!collected.add(chunk)) resolve(collected.result());
    });
    source.once("end", () => resolve(collected.result()));
    source.once("error", reject);
    source.once("close", () =>
      reject(Object.assign(new Error("the body broke off"), { code: "ECONNRESET" })),
    );
  });
}

/** The pieces of a body, up to the cap. */
export class Collected {
  readonly #capBytes: number;
  readonly #chunks: Buffer[] = [];
  #bytesSeen = 0;

  constructor(capBytes: number) {
    this.#capBytes = capBytes;
  }

  /** Whether the body may go on. */
  add(chunk: Buffer): boolean {
    this.#bytesSeen += chunk.length;
    if (this.#bytesSeen > this.#capBytes) return false;
    this.#chunks.push(chunk);
    return true;
  }

  result(): Body {
    if (this.#bytesSeen > this.#capBytes) return { kind: "too-large", bytesSeen: this.#bytesSeen };
    const [first = Buffer.alloc(0)] = this.#chunks;
    return { kind: "whole", bytes: this.#chunks.length > 1 ? Buffer.concat(this.#chunks) : first };
  }
}

/** Null: nothing to unpack. Undefined: we do not know how. */
export function unpacker(encoding: string | undefined): Transform | null | undefined {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case "":
    case "identity":
      return null;
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      return createInflate();
    case "br":
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

export function isUnpackError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("Z_") || code.startsWith("ERR__ERROR_") || code.startsWith("ERR_BROTLI");
}
