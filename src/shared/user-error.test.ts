import { expect, test } from "vitest";
import { toUserError, UserError } from "./user-error.ts";

test("a folder that was removed under us is the user's to fix, a bug is not", () => {
  const gone = Object.assign(new Error("ENOENT: no such file or directory, uv_cwd"), {
    code: "ENOENT",
    syscall: "uv_cwd",
  });
  expect(toUserError(gone)).toBeInstanceOf(UserError);
  expect(toUserError(gone)).toMatchObject({ code: "usage", hint: expect.stringContaining("folder") });
  expect(toUserError(new Error("a bug"))).toBe(null);
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
