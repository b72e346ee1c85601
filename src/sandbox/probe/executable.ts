import { callNumber, type ProbeCallName, type ProbeCpu } from "./call-numbers.ts";
import { machineCode, rowBytes } from "./machine-code.ts";

/** One system call of the probe. */
export interface ProbeCall {
  name: ProbeCallName;
  args: readonly ProbeArgument[];
  /** The calls of the child that this call creates. They must end the child. */
  child?: readonly ProbeCall[];
}

/** A number; bytes (a text ends with a zero byte) by their address; memory; or what an earlier call gave. */
type ProbeArgument = number | string | Uint8Array | ProbeMemory | ProbeCall;

/** Memory the probe may write to: for results, as a read buffer, and as the end of a stack for a thread. */
interface ProbeMemory {
  memory: "results" | "scratch" | "stack";
}

export const scratchBytes = 65_536;
const stackBytes = 8192;
const fileAddress = 0x40_0000;
// Apart by more than the largest page any of these CPUs has.
const memoryAddress = 0x1000_0000;
const headerBytes = 64 + 3 * 56;

/**
 * A whole program in one small file: it makes these calls one after the other and depends on nothing, not even on a
 * C library. The calls must end the process themselves.
 */
export function probeExecutable(cpu: ProbeCpu, calls: readonly ProbeCall[]): Buffer {
  const layout = planLayout(calls);
  const codeBytes = machineCode(cpu, 0, 0).length;
  const tablesAt = headerBytes + align(codeBytes);
  const tableAddress = new Map<readonly ProbeCall[], number>();
  let end = fileAddress + tablesAt;
  for (const table of layout.tables) {
    tableAddress.set(table, end);
    end += table.length * rowBytes;
  }
  const texts = textsFrom(end);
  const address = (argument: string | Uint8Array | ProbeMemory): number => {
    if (typeof argument === "string") return texts.add(Buffer.from(`${argument}\0`));
    if (argument instanceof Uint8Array) return texts.add(argument);
    return memoryAddress + layout.memory[argument.memory];
  };
  const rows = layout.tables.flatMap((table) =>
    table.map((call) => {
      const row = Buffer.alloc(rowBytes);
      row.writeBigInt64LE(BigInt(callNumber(call.name, cpu)), 0);
      let mask = 0;
      for (const [index, argument] of call.args.entries()) {
        const isResult = typeof argument === "object" && "name" in argument;
        if (isResult) mask |= 1 << index;
        const value = isResult
          ? indexOf(calls, argument)
          : typeof argument === "number"
            ? argument
            : address(argument);
        row.writeBigInt64LE(BigInt(value), 8 + index * 8);
      }
      row.writeBigInt64LE(BigInt(mask), 56);
      row.writeBigInt64LE(BigInt(call.child === undefined ? 0 : (tableAddress.get(call.child) ?? 0)), 64);
      return row;
    }),
  );
  const code = machineCode(cpu, fileAddress + tablesAt, memoryAddress);
  const body = [code, Buffer.alloc(align(codeBytes) - codeBytes), ...rows, ...texts.parts];
  const fileBytes = headerBytes + body.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([header(cpu, fileBytes, layout.memoryBytes), ...body]);
}

/** The tables, the main one first, and the layout of writable memory. */
function planLayout(calls: readonly ProbeCall[]) {
  const tables: (readonly ProbeCall[])[] = [];
  const add = (table: readonly ProbeCall[]) => {
    if (tables.includes(table)) return;
    tables.push(table);
    for (const { child } of table) if (child !== undefined) add(child);
  };
  add(calls);
  const rows = tables.reduce((sum, table) => sum + table.length, 0);
  const scratch = align(rows * 8);
  const stack = scratch + scratchBytes + stackBytes;
  return { tables, memory: { results: 0, scratch, stack }, memoryBytes: stack };
}

function indexOf(calls: readonly ProbeCall[], call: ProbeCall): number {
  const index = calls.indexOf(call);
  if (index < 0) throw new Error(`the result of ${call.name} is used and the call is not made`);
  return index;
}

/** Bytes that calls refer to, one behind the other. */
function textsFrom(start: number) {
  const parts: Buffer[] = [];
  let end = start;
  function add(text: Uint8Array): number {
    const at = end;
    const padded = Buffer.alloc(align(text.length));
    padded.set(text);
    parts.push(padded);
    end += padded.length;
    return at;
  }
  return { parts, add };
}

/** ELF: what is run lies in the file and cannot be written to; what is written to is empty at first and cannot be run. */
function header(cpu: ProbeCpu, fileBytes: number, memoryBytes: number): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]); // 64 bit, little endian, version 1
  bytes.writeUInt16LE(2, 16); // an executable at a fixed address
  bytes.writeUInt16LE(cpu === "x64" ? 62 : 183, 18);
  bytes.writeUInt32LE(1, 20);
  bytes.writeBigUInt64LE(BigInt(fileAddress + headerBytes), 24); // where it begins
  bytes.writeBigUInt64LE(64n, 32); // the segments follow this header
  bytes.writeUInt16LE(64, 52);
  bytes.writeUInt16LE(56, 54);
  bytes.writeUInt16LE(3, 56);
  const execute = 1;
  const write = 2;
  const read = 4;
  const segment = (index: number, type: number, flags: number, at: number, inFile: number, size: number) => {
    const start = 64 + index * 56;
    bytes.writeUInt32LE(type, start);
    bytes.writeUInt32LE(flags, start + 4);
    bytes.writeBigUInt64LE(BigInt(at), start + 16);
    bytes.writeBigUInt64LE(BigInt(at), start + 24);
    bytes.writeBigUInt64LE(BigInt(inFile), start + 32);
    bytes.writeBigUInt64LE(BigInt(size), start + 40);
    bytes.writeBigUInt64LE(0x1_0000n, start + 48);
  };
  segment(0, 1, read | execute, fileAddress, fileBytes, fileBytes);
  segment(1, 1, read | write, memoryAddress, 0, memoryBytes);
  segment(2, 0x6474_e551, read | write, 0, 0, 0); // the stack is not for running either
  return bytes;
}

function align(bytes: number): number {
  return Math.ceil(bytes / 16) * 16;
}
