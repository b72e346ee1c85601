import { expect, test } from "vitest";
import {
  sampleDiagnostic,
  sampleExamination,
  sampleSkill,
} from "../../../test/builders/sample-examination.ts";
import { doctorGithub } from "./doctor-github.ts";
import { doctorDocument } from "./named-diagnostics.ts";

const inside = (file: string) => (file.startsWith("/") ? undefined : file);

test("a finding is an annotation at its line and column; text of a stranger stays text", () => {
  const skills = [
    sampleSkill("forms", [
      sampleDiagnostic("SKM05", 'name "a,b:100%\n::error::x" does not match folder "forms"'),
    ]),
    sampleSkill("b", [sampleDiagnostic("SKM10", "x", { line: null })], { folder: "/opt/b" }),
  ];

  expect([...doctorGithub(sampleExamination(skills), inside)]).toEqual([
    '::error title=SKM05 in forms,file=skills/forms/SKILL.md,line=2,col=7::name "a,b:100%25\\n::error::x" does not match folder "forms" (rename one of them)',
    "::warning title=SKM10 in b::x (move it under metadata)",
  ]);
});

test("words that would reorder a line are shown as what they are, in every format for programs", () => {
  const found = sampleDiagnostic("TRG05", '"a\u202e\u001b[31m" in both lists', { hint: "x\u0007" });

  expect(doctorDocument(sampleExamination([sampleSkill("a", [found])]))).toMatchObject({
    diagnostics: [{ message: '"a\\u{202e}\\e[31m" in both lists', hint: "x\\u{7}" }],
  });
});

test("GitHub shows ten of a kind: errors first, and it is said how many are left out", () => {
  const skills = Array.from({ length: 12 }, (_, n) =>
    sampleSkill(`s${n}`, [sampleDiagnostic("SKM05", "x"), sampleDiagnostic("SKM10", "y")]),
  );

  const commands = [...doctorGithub(sampleExamination(skills), inside)];

  expect(commands.map((line) => line.slice(0, 9))).toEqual([
    ...Array(10).fill("::error t"),
    ...Array(10).fill("::warning"),
    "::notice ",
  ]);
  expect(commands.at(-1)).toContain("and 2 more errors and 2 more warnings");
  expect([...doctorGithub(sampleExamination([sampleSkill("a")]), inside)]).toEqual([]);
});
