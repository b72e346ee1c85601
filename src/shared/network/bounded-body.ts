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
    const chunks: Buffer[] = [];
    let bytesSeen = 0;
    source.on("data", (chunk: Buffer) => {
      bytesSeen += chunk.length;
      if (bytesSeen > capBytes) resolve({ kind: "too-large", bytesSeen });
      else chunks.push(chunk);
    });
    source.once("end", () =>
      resolve({ kind: "whole", bytes: chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks) }),
    );
    source.once("error", reject);
    source.once("close", () =>
      reject(Object.assign(new Error("the body broke off"), { code: "ECONNRESET" })),
    );
  });
}

/** Null: nothing to unpack. Undefined: we do not know how. */
function unpacker(encoding: string | undefined): Transform | null | undefined {
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

function isUnpackError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? "";
  return code.startsWith("Z_") || code.startsWith("ERR__ERROR_") || code.startsWith("ERR_BROTLI");
}
