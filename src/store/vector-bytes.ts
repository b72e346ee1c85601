import { endianness } from "node:os";

/** A vector as stored in the file: 32-bit floats, the lowest byte first on every machine. */
export function encodeVector(vector: Float32Array): Uint8Array {
  return inFileOrder(Buffer.from(vector.slice().buffer));
}

/** A vector read back; null where the bytes are not those of one with so many dimensions. */
export function decodeVector(bytes: unknown, dim: number): Float32Array | null {
  if (!(bytes instanceof Uint8Array) || bytes.byteLength !== dim * Float32Array.BYTES_PER_ELEMENT)
    return null;
  const vector = new Float32Array(dim); // copied, so that it begins where floats may begin
  Buffer.from(vector.buffer).set(bytes);
  inFileOrder(Buffer.from(vector.buffer));
  return isWholeVector(vector, dim) ? vector : null;
}

/** Whether it has this many dimensions and a number in each: another one would make every similarity nonsense. */
export function isWholeVector(vector: Float32Array, dim: number): boolean {
  if (vector.length !== dim) return false;
  for (const value of vector) if (!Number.isFinite(value)) return false;
  return true;
}

function inFileOrder(bytes: Buffer<ArrayBuffer>): Buffer<ArrayBuffer> {
  return endianness() === "LE" ? bytes : bytes.swap32();
}
