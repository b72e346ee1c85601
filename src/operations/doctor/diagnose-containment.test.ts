import { expect, test } from "vitest";
import type { ProbeCheck } from "../../contract/sandbox.ts";
import { diagnoseContainment } from "./diagnose-containment.ts";

const missing = {
  name: "bubblewrap",
  isOk: false,
  state: "not found",
  remedy: "sudo apt-get install bubblewrap",
  note: "0.8 or newer",
  fix: "sudo apt-get install bubblewrap",
};
const unproven = { bubblewrap: null, checks: [], unproven: [], hint: null, durationMs: 1 } as const;
const nothing = { level: "process", pieces: [missing], ...unproven } as const;

function check(group: ProbeCheck["group"], expected: ProbeCheck["expected"], ok: boolean): ProbeCheck {
  return { group, name: `${expected} in ${group}`, expected, ok, seen: ok ? null : "it worked" };
}

test("what is missing is red, with the command that installs it", () => {
  expect(diagnoseContainment(nothing, "linux")).toMatchObject([
    { name: "level", state: "note", found: expect.stringContaining("with your permissions") },
    { name: "bubblewrap", state: "bad", found: "not found, 0.8 or newer", fix: missing.fix },
  ]);
});

test("where containment is impossible, that is a note and not a problem", () => {
  const pieces = [
    { name: "system", isOk: false, state: "darwin", remedy: "requires Linux", note: null, fix: null },
  ];

  expect(diagnoseContainment({ ...nothing, pieces }, "darwin")).toMatchObject([
    { name: "level", state: "note" },
    { name: "system", state: "note", found: "darwin, requires Linux", fix: null },
  ]);
});

test("a group that holds is one line", () => {
  const checks = [
    check("files", "blocked", true),
    check("files", "blocked", true),
    check("files", "works", true),
  ];

  expect(diagnoseContainment({ ...nothing, level: "strict", pieces: [], checks }, "linux")).toMatchObject([
    { name: "level", state: "ok" },
    { name: "files", state: "ok", found: "3 of 3 checks passed" },
  ]);
});

test("of a group that does not hold each failed check is a line, and reported once", () => {
  const checks = [check("privileges", "blocked", false), check("privileges", "works", true)];
  const pieces = [
    { name: "privileges", isOk: false, state: "not blocked", remedy: "blocked", note: null, fix: null },
  ];

  const lines = diagnoseContainment({ ...nothing, level: "reduced", pieces, checks }, "linux");

  expect(lines.slice(1)).toMatchObject([
    { name: "privileges", state: "bad", found: "blocked in privileges: not blocked (it worked)" },
  ]);
  expect(lines[1]?.fix).not.toBeNull();
});
