import { expect, test } from "vitest";
import { refuseTightAddressSpace, toUserError, UserError } from "./user-error.ts";

test("a folder that was removed under us is the user's to fix, a bug is not", () => {
  const gone = Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), {
    code: "ENOENT",
    syscall: "uv_cwd",
  });
  expect(toUserError(gone)).toBeInstanceOf(UserError);
  expect(toUserError(gone)).toMatchObject({ code: "usage", hint: expect.stringContaining("folder") });
  expect(toUserError(new Error("a bug"))).toBe(null);
});

test("an address space that is too small is named instead of what broke first", () => {
  const thrown = new RangeError(
    "WebAssembly.Instance(): Out of memory: Cannot allocate Wasm memory for new instance",
  );
  expect(toUserError(thrown)).toMatchObject({
    code: "address-space-limited",
    exitCode: 2,
    hint: expect.stringContaining("ulimit -v"),
  });
  expect(() => refuseTightAddressSpace(2e9)).toThrow("limited to 1.9 GB");
  for (const enough of [null, 4e9]) expect(() => refuseTightAddressSpace(enough)).not.toThrow();
});

test("what failed while things were closed does not hide what failed first", () => {
  const full = new UserError("output-unwritable", "the disk is full");
  const closing = Object.assign(new Error(""), { name: "SuppressedError", error: full, suppressed: full });
  const twice = Object.assign(new Error(""), {
    name: "SuppressedError",
    error: new Error("x"),
    suppressed: closing,
  });
  expect(toUserError(twice)).toBe(full);
});
