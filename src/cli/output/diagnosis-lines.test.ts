import { expect, test } from "vitest";
import type { Diagnosis } from "../../contract/findings.ts";
import { diagnosisLines } from "./diagnosis-lines.ts";

const lines: Diagnosis[] = [
  { topic: "machine", name: "clock", state: "ok", found: "2026-11-15T16:59:09.802Z", fix: null },
  {
    topic: "containment",
    name: "level",
    state: "note",
    found: "process: skills run with your rights",
    fix: null,
  },
  {
    topic: "containment",
    name: "bubblewrap",
    state: "bad",
    found: "not found, 0.8 or newer",
    fix: "sudo apt-get install bubblewrap",
  },
];

test("a block per topic in a fixed order, a line per check, and the command below each problem", () => {
  expect(diagnosisLines(lines, { color: false, width: null })).toBe(`containment
  ! level       process: skills run with your rights
  ✗ bubblewrap  not found, 0.8 or newer
                fix: sudo apt-get install bubblewrap

machine
  ✓ clock       2026-11-15T16:59:09.802Z

1 ok, 1 note, 1 problem
`);
});

test("long lines are broken below where they began, but never a command", () => {
  const [, level, bubblewrap] = lines;
  const wide = { ...level, found: "process: skills run with your rights, and every result is marked so" };

  expect(diagnosisLines([wide, bubblewrap] as Diagnosis[], { color: false, width: 50 })).toContain(`
  ! level       process: skills run with your
                rights, and every result is marked
                so
  ✗ bubblewrap  not found, 0.8 or newer
                fix: sudo apt-get install bubblewrap
`);
});

test("text of the machine cannot move the cursor, and colour only comes where it is wanted", () => {
  const hostile: Diagnosis = {
    topic: "project",
    name: "secrets",
    state: "bad",
    found: "\u001b[2J",
    fix: "\u0007",
  };

  expect(diagnosisLines([hostile], { color: false, width: null })).not.toMatch(/[^\P{Cc}\n]/u);
  expect(diagnosisLines(lines, { color: true, width: null })).toContain("\u001b[31m✗\u001b[39m");
});
