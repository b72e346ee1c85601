import { expect, test } from "vitest";
import type { ProbeCheck } from "../contract/probe.ts";
import { diagnoseContainment } from "./diagnose-containment.ts";

const missing = {
  name: "bubblewrap",
  isOk: false,
  state: "not found",
  remedy: "sudo apt-get install bubblewrap",
  note: "0.8 or newer",
  mend: "sudo apt-get install bubblewrap",
};
const unproven = { bubblewrap: null, checks: [], unproven: [], hint: null, durationMs: 1 } as const;
const nothing = { level: "process", pieces: [missing], ...unproven } as const;

function check(group: ProbeCheck["group"], expected: ProbeCheck["expected"], ok: boolean): ProbeCheck {
  return { group, name: `${expected} in ${group}`, expected, ok, seen: ok ? null : "it worked" };
}

test("what is missing is red, with the command that installs it", () => {
  expect(diagnoseContainment(nothing, "linux")).toMatchObject([
    { name: "level", state: "note", found: expect.stringContaining("with your rights") },
    { name: "bubblewrap", state: "bad", found: "not found, 0.8 or newer", mend: missing.mend },
  ]);
});

test("where walls cannot be built at all, that is worth knowing and nothing to mend", () => {
  const pieces = [
    { name: "system", isOk: false, state: "darwin", remedy: "Linux is needed", note: null, mend: null },
  ];

  expect(diagnoseContainment({ ...nothing, pieces }, "darwin")).toMatchObject([
    { name: "level", state: "note" },
    { name: "system", state: "note", found: "darwin, Linux is needed", mend: null },
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
    { name: "files", state: "ok", found: "2 blocked, 1 working as they must" },
  ]);
});

test("of a group that does not hold each check that failed is a line, and told once", () => {
  const checks = [check("privileges", "blocked", false), check("privileges", "works", true)];
  const pieces = [
    { name: "privileges", isOk: false, state: "not blocked", remedy: "blocked", note: null, mend: null },
  ];

  const lines = diagnoseContainment({ ...nothing, level: "reduced", pieces, checks }, "linux");

  expect(lines.slice(1)).toMatchObject([
    { name: "privileges", state: "bad", found: "blocked in privileges: not blocked (it worked)" },
  ]);
  expect(lines[1]?.mend).not.toBeNull();
});
