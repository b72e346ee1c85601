import { describe, expect, test } from "vitest";
import { seccompProgram } from "./seccomp-program.ts";
import { refusedCalls, systemCalls } from "./system-calls.ts";

const allowed = 0x7fff0000;
const killed = 0x80000000;
const failed = (errorNumber: number) => 0x00050000 + errorNumber;
const errors = { EPERM: 1, ENOSYS: 38, EAFNOSUPPORT: 97 };
const audit = { x64: 0xc000003e, arm64: 0xc00000b7 };

for (const architecture of ["x64", "arm64"] as const) {
  describe(`the filter for ${architecture}`, () => {
    const calls = systemCalls[architecture] ?? expect.fail("no numbers");
    const program = seccompProgram(architecture) ?? expect.fail("no program");
    const ask = (number: number, argument = 0, arch: number = audit[architecture]) =>
      verdict(program, { number, arch, argument });

    test("refuses each call by which a process could leave its sandbox", () => {
      for (const name of refusedCalls) expect([name, ask(calls[name])]).toEqual([name, failed(errors.EPERM)]);
    });

    test("lets processes and threads be started, but no namespaces", () => {
      const thread = 0x3d0f00;
      expect(ask(calls.clone, 17)).toBe(allowed);
      expect(ask(calls.clone, thread)).toBe(allowed);
      for (const flag of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000]) {
        expect(ask(calls.clone, flag | 17)).toBe(failed(errors.EPERM));
      }
    });

    test("says that there is no clone3, whose flags it cannot see", () => {
      expect(ask(calls.clone3)).toBe(failed(errors.ENOSYS));
    });

    test("lets through sockets of the three usual families only", () => {
      for (const family of [1, 2, 10]) expect(ask(calls.socket, family)).toBe(allowed);
      for (const family of [0, 3, 16, 17, 38, 40, 44]) {
        expect(ask(calls.socket, family)).toBe(failed(errors.EAFNOSUPPORT));
      }
    });

    test("refuses memory that is shared without a file, and no other", () => {
      const [shared, own, fixed, anonymous] = [1, 2, 0x10, 0x20];
      for (const flags of [shared | anonymous, shared | anonymous | fixed]) {
        expect(verdict(program, { number: calls.mmap, arch: audit[architecture], flags })).toBe(
          failed(errors.EPERM),
        );
      }
      for (const flags of [shared, own, own | anonymous, own | anonymous | fixed]) {
        expect(verdict(program, { number: calls.mmap, arch: audit[architecture], flags })).toBe(allowed);
      }
    });

    test("lets everything else through", () => {
      const looked = new Set<number>(Object.values(calls));
      for (let number = 0; number < 470; number++) {
        if (!looked.has(number)) expect([number, ask(number)]).toEqual([number, allowed]);
      }
    });

    test("kills what calls in the manner of another CPU", () => {
      for (const arch of [0x40000003, 0x40000028, audit[architecture === "x64" ? "arm64" : "x64"]]) {
        expect(ask(0, 0, arch)).toBe(killed);
      }
    });
  });
}

test("the filter for x86-64 kills x32, where the same calls have other numbers", () => {
  const program = seccompProgram("x64") ?? expect.fail("no program");
  expect(verdict(program, { number: 0x40000000 + 101, arch: audit.x64, argument: 0 })).toBe(killed);
});

test("a CPU whose calls are not known has no filter", () => {
  expect(seccompProgram("riscv64")).toBe(null);
});

interface Call {
  number: number;
  arch: number;
  /** The low half of the first argument. */
  argument?: number;
  /** The low half of the fourth argument. */
  flags?: number;
}

/** What the kernel would decide: runs the program over a call as it does. */
function verdict(program: Uint8Array, { number, arch, argument = 0, flags = 0 }: Call): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const words = new Map([
    [0, number],
    [4, arch],
    [16, argument],
    [40, flags],
  ]);
  let loaded = 0;
  for (let at = 0; at < program.byteLength; at += 8) {
    const operation = code.getUint16(at, true);
    const value = code.getUint32(at + 4, true);
    if (operation === 0x20) loaded = words.get(value) ?? expect.fail(`loads from ${value}`);
    else if (operation === 0x06) return value;
    else at += 8 * code.getUint8(at + (compare(operation, loaded, value) ? 2 : 3));
  }
  return expect.fail("runs past its end");
}

function compare(operation: number, loaded: number, value: number): boolean {
  switch (operation) {
    case 0x15:
      return loaded === value;
    case 0x35:
      return loaded >= value;
    case 0x45:
      return (loaded & value) !== 0;
    default:
      return expect.fail(`unknown operation ${operation}`);
  }
}
