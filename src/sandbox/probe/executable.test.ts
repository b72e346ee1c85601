import { expect, test } from "vitest";
import { probeCpus } from "./call-numbers.ts";
import { type ProbeCall, probeExecutable } from "./executable.ts";
import { machineCode } from "./machine-code.ts";

const open: ProbeCall = { name: "openat", args: [-100, "/etc/hostname", 0] };
const child: ProbeCall[] = [{ name: "exit_group", args: [7] }];
const calls: ProbeCall[] = [
  open,
  { name: "read", args: [open, { memory: "scratch" }, 16] },
  { name: "clone", args: [17], child },
  { name: "exit_group", args: [0] },
];

test.each(probeCpus)("a program for %s is an executable that holds its calls", (cpu) => {
  const file = probeExecutable(cpu, calls);
  const word = (at: number) => Number(file.readBigInt64LE(at));
  const fileAddress = word(64 + 16);
  const codeAt = word(24) - fileAddress;
  const tableAt = codeAt + Math.ceil(machineCode(cpu, 0, 0).length / 16) * 16;
  const row = (index: number) => Array.from({ length: 9 }, (_, at) => word(tableAt + index * 72 + at * 8));
  const [openat, read, clone, end] = [row(0), row(1), row(2), row(3)];

  expect(file.subarray(0, 4).toString("latin1")).toBe("\x7fELF");
  expect(file.readUInt16LE(18)).toBe({ x64: 62, arm64: 183 }[cpu]);
  expect(word(64 + 32)).toBe(file.length);
  expect(openat[0]).toBe({ x64: 257, arm64: 56 }[cpu]);
  const path = (openat[2] as number) - fileAddress;
  expect(file.toString("latin1", path, path + 14)).toBe("/etc/hostname\0");
  // The first argument is the result of the call with number 0.
  expect([read[1], read[7]]).toEqual([0, 1]);
  // The child goes on with the table behind the main one.
  expect(clone[8]).toBe(fileAddress + tableAt + calls.length * 72);
  expect(row(4).slice(0, 2)).toEqual([end[0], 7]);
});

test("every jump of the code for arm64 leads where its comment says", () => {
  const code = machineCode("arm64", 0x40_1230, 0x1000_0000);
  const instructions = Array.from({ length: code.length / 4 }, (_, index) => code.readUInt32LE(index * 4));
  const next = 5;
  const argument = 7;
  const keep = 13;
  const store = 27;

  expect(jumpsOf(instructions)).toEqual([
    [11, keep],
    [16, argument],
    [23, store],
    [24, store],
    [26, next],
    [29, next],
  ]);
  expect(instructions[21]).toBe(0xd4000001); // svc #0
  expect(instructions.slice(0, 2).map((movz) => (movz >>> 5) & 0xffff)).toEqual([0x1230, 0x40]);
});

/** From and to, by the number of the instruction. */
function jumpsOf(instructions: readonly number[]): [number, number][] {
  const signed = (value: number, bits: number) => (value << (32 - bits)) >> (32 - bits);
  return instructions.flatMap((word, at): [number, number][] => {
    if (word >>> 26 === 0x05) return [[at, at + signed(word & 0x3ffffff, 26)]]; // b
    if (word >>> 24 === 0x54) return [[at, at + signed((word >>> 5) & 0x7ffff, 19)]]; // b.ne
    if (word >>> 25 === 0x5a) return [[at, at + signed((word >>> 5) & 0x7ffff, 19)]]; // cbz, cbnz
    if (word >>> 24 === 0x36) return [[at, at + signed((word >>> 5) & 0x3fff, 14)]]; // tbz
    return [];
  });
}
