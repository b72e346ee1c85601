import { refusedCalls, systemCalls } from "./system-calls.ts";

/**
 * The filter that the kernel puts every system call of a skill through: classic BPF over `struct seccomp_data`. Null for
 * a CPU whose system calls we have no numbers for.
 */
export function seccompProgram(architecture: NodeJS.Architecture = process.arch): Uint8Array | null {
  const calls = systemCalls[architecture];
  const auditArchitecture = auditArchitectures[architecture];
  if (calls === undefined || auditArchitecture === undefined) return null;
  return assemble([
    load(architectureOffset),
    ifEqual(auditArchitecture, "ours"),
    exitWith(killProcess),
    "ours",
    load(numberOffset),
    // x32 on the same CPU: other numbers for the same calls, so that nothing below would catch them.
    ...(architecture === "x64" ? [ifAtLeast(x32Bit, "kill")] : []),
    ...refusedCalls.map((name) => ifEqual(calls[name], "refuse")),
    // The flags of clone3 are in memory, which a filter cannot read. On ENOSYS libc falls back to clone.
    ifEqual(calls.clone3, "absent"),
    ifEqual(calls.mmap, "mmap"),
    ifEqual(calls.clone, "clone"),
    ifEqual(calls.socket, "socket"),
    "allow",
    exitWith(allow),
    // Shared memory without a file outlives the page tables that tell how much of it there is: nobody could count it.
    "mmap",
    load(fourthArgumentOffset),
    ifAnyBit(mapAnonymous, "mmap without a file"),
    exitWith(allow),
    "mmap without a file",
    ifAnyBit(mapShared, "refuse"),
    exitWith(allow),
    "clone",
    load(firstArgumentOffset),
    ifAnyBit(namespaceFlags, "refuse"),
    exitWith(allow),
    "socket",
    load(firstArgumentOffset),
    ...Object.values(socketFamilies).map((family) => ifEqual(family, "sockets of this family")),
    exitWith(failWith(97 /* EAFNOSUPPORT */)),
    "sockets of this family",
    exitWith(allow),
    "refuse",
    exitWith(failWith(1 /* EPERM */)),
    "absent",
    exitWith(failWith(38 /* ENOSYS */)),
    "kill",
    exitWith(killProcess),
  ]);
}

const auditArchitectures: Partial<Record<NodeJS.Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
};
const x32Bit = 0x40000000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const namespaceFlags = 0x7e020000;
const mapShared = 0x01;
const mapAnonymous = 0x20;
const socketFamilies = { unix: 1, inet: 2, inet6: 10 };

// Where `struct seccomp_data` has what. Arguments are 64 bits wide, and both CPUs store the low half first.
const numberOffset = 0;
const architectureOffset = 4;
const firstArgumentOffset = 16;
const fourthArgumentOffset = 40;

const killProcess = 0x80000000;
const allow = 0x7fff0000;
const failWith = (errorNumber: number) => 0x00050000 + errorNumber;

interface Instruction {
  code: number;
  value: number;
  /** Where to go on when a comparison holds; else with the next instruction. */
  target?: string;
}

const load = (offset: number): Instruction => ({ code: 0x20, value: offset });
const exitWith = (verdict: number): Instruction => ({ code: 0x06, value: verdict });
const ifEqual = (value: number, target: string): Instruction => ({ code: 0x15, value, target });
const ifAtLeast = (value: number, target: string): Instruction => ({ code: 0x35, value, target });
const ifAnyBit = (value: number, target: string): Instruction => ({ code: 0x45, value, target });

/** A string between instructions is the label of the next one. Jumps only go forward, by at most 255. */
function assemble(listing: readonly (Instruction | string)[]): Uint8Array {
  const labels = new Map<string, number>();
  const instructions: Instruction[] = [];
  for (const line of listing) {
    if (typeof line === "string") labels.set(line, instructions.length);
    else instructions.push(line);
  }
  const program = Buffer.alloc(instructions.length * 8);
  for (const [index, { code, value, target }] of instructions.entries()) {
    const next = target === undefined ? index + 1 : (labels.get(target) ?? Number.NaN);
    program.writeUInt16LE(code, index * 8);
    program.writeUInt8(next - index - 1, index * 8 + 2);
    program.writeUInt32LE(value, index * 8 + 4);
  }
  return program;
}
