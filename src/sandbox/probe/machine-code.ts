import type { ProbeCpu } from "./call-numbers.ts";

/**
 * What the probe consists of, per CPU: take the next row of a table, load the arguments (an argument whose bit is set in
 * the row's mask is the number of an earlier result), make the system call, keep the result, go on. A child (result 0 of
 * a row that names a table for it) goes on with that table. Rows end the process themselves; the loop has no end.
 *
 * A row is nine words of eight bytes: number, six arguments, mask, address of the child's table or 0.
 */
export function machineCode(cpu: ProbeCpu, table: number, results: number): Buffer {
  return cpu === "x64" ? x64(table, results) : arm64(table, results);
}

export const rowBytes = 72;

function x64(table: number, results: number): Buffer {
  return Buffer.from([
    ...[0xbb, ...word(table)], //           mov  ebx, table      rbx: the row
    ...[0xbd, ...word(results)], //         mov  ebp, results    rbp: where the next result goes
    ...[0x41, 0x89, 0xec], //               mov  r12d, ebp       r12: the first result
    // next:
    ...[0xb9, ...word(5)], //               mov  ecx, 5          the last argument first: the stack turns them round
    // argument:
    ...[0x48, 0x8b, 0x44, 0xcb, 0x08], //   mov  rax, [rbx + rcx*8 + 8]
    ...[0x0f, 0xa3, 0x4b, 0x38], //         bt   dword [rbx + 56], ecx
    ...[0x73, 0x04], //                     jnc  keep
    ...[0x49, 0x8b, 0x04, 0xc4], //         mov  rax, [r12 + rax*8]
    // keep:
    ...[0x50], //                           push rax
    ...[0xff, 0xc9], //                     dec  ecx
    ...[0x79, 0xec], //                     jns  argument
    ...[0x5f, 0x5e, 0x5a], //               pop  rdi, rsi, rdx
    ...[0x41, 0x5a, 0x41, 0x58], //         pop  r10, r8
    ...[0x41, 0x59], //                     pop  r9
    ...[0x48, 0x8b, 0x03], //               mov  rax, [rbx]
    ...[0x0f, 0x05], //                     syscall
    ...[0x48, 0x8b, 0x4b, 0x40], //         mov  rcx, [rbx + 64]
    ...[0x48, 0x85, 0xc9, 0x74, 0x0a], //   test rcx, rcx; jz store    no table for a child
    ...[0x48, 0x85, 0xc0, 0x75, 0x05], //   test rax, rax; jnz store   not the child
    ...[0x48, 0x89, 0xcb], //               mov  rbx, rcx
    ...[0xeb, 0xc6], //                     jmp  next
    // store:
    ...[0x48, 0x89, 0x45, 0x00], //         mov  [rbp], rax
    ...[0x48, 0x83, 0xc5, 0x08], //         add  rbp, 8
    ...[0x48, 0x83, 0xc3, rowBytes], //     add  rbx, 72
    ...[0xeb, 0xb8], //                     jmp  next
  ]);
}

function arm64(table: number, results: number): Buffer {
  const words = [
    0xd2800013 | (low(table) << 5), //   movz x19, table           x19: the row
    0xf2a00013 | (high(table) << 5), //  movk x19, table >> 16
    0xd2800014 | (low(results) << 5), // movz x20, results         x20: where the next result goes
    0xf2a00014 | (high(results) << 5), //movk x20, results >> 16
    0xaa1403f5, //                       mov  x21, x20             x21: the first result
    // next:
    0xd100c3ff, //                       sub  sp, sp, #48
    0xd2800009, //                       mov  x9, #0
    // argument:
    0x8b090e6a, //                       add  x10, x19, x9, lsl #3
    0xf940054b, //                       ldr  x11, [x10, #8]
    0xf9401e6c, //                       ldr  x12, [x19, #56]
    0x9ac9258c, //                       lsr  x12, x12, x9
    0x3600004c, //                       tbz  w12, #0, keep
    0xf86b7aab, //                       ldr  x11, [x21, x11, lsl #3]
    // keep:
    0xf8297beb, //                       str  x11, [sp, x9, lsl #3]
    0x91000529, //                       add  x9, x9, #1
    0xf100193f, //                       cmp  x9, #6
    0x54fffee1, //                       b.ne argument
    0xa8c107e0, //                       ldp  x0, x1, [sp], #16
    0xa8c10fe2, //                       ldp  x2, x3, [sp], #16
    0xa8c117e4, //                       ldp  x4, x5, [sp], #16
    0xf9400268, //                       ldr  x8, [x19]
    0xd4000001, //                       svc  #0
    0xf9402269, //                       ldr  x9, [x19, #64]
    0xb4000089, //                       cbz  x9, store            no table for a child
    0xb5000060, //                       cbnz x0, store            not the child
    0xaa0903f3, //                       mov  x19, x9
    0x17ffffeb, //                       b    next
    // store:
    0xf8008680, //                       str  x0, [x20], #8
    0x91012273, //                       add  x19, x19, #72
    0x17ffffe8, //                       b    next
  ];
  return Buffer.concat(words.map((instruction) => Buffer.from(word(instruction))));
}

function word(value: number): number[] {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return [...bytes];
}

const low = (address: number) => address & 0xffff;
const high = (address: number) => address >>> 16;
