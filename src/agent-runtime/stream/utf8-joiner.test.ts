import { expect, test } from "vitest";
import { incomplete, invalid, Utf8Joiner } from "./utf8-joiner.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decoded(bytes: readonly number[]): number | undefined {
  try {
    const [character, ...more] = decoder.decode(Uint8Array.from(bytes));
    return more.length === 0 ? character?.codePointAt(0) : undefined;
  } catch {
    return undefined;
  }
}

function joined(bytes: readonly number[]): number | undefined {
  const joiner = new Utf8Joiner();
  for (const [at, byte] of bytes.entries()) {
    const code = joiner.join(byte);
    if (code === invalid) return undefined;
    if (code !== incomplete) return at === bytes.length - 1 ? code : undefined;
  }
  return undefined;
}

test("agrees with the fatal decoder at every border of UTF-8", () => {
  const tails = [0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0];
  const leads = Array.from({ length: 0x80 }, (_, at) => 0x80 + at);
  const rests = [[], [0x80], [0xbf], [0x80, 0xbf], [0xbf, 0xc0]];
  const all = leads.flatMap((lead) => tails.flatMap((tail) => rests.map((rest) => [lead, tail, ...rest])));
  expect(all.filter((bytes) => joined(bytes) !== decoded(bytes))).toEqual([]);
});
