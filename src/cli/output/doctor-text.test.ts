import { describe, expect, test } from "vitest";
import {
  sampleDiagnostic,
  sampleExamination,
  sampleSkill,
} from "../../../test/builders/sample-examination.ts";
import type { ExaminedSkill } from "../../operations/doctor/doctor-report.ts";
import { textWidth } from "../../report/text/text-width.ts";
import { type DoctorLayout, doctorText } from "./doctor-text.ts";

const plain: DoctorLayout = { color: false, width: null, isWhole: false };
const lines = (skills: readonly ExaminedSkill[], layout: Partial<DoctorLayout> = {}) =>
  doctorText(sampleExamination(skills), { ...plain, ...layout })
    .trimEnd()
    .split("\n");

const wrongName = sampleDiagnostic("SKM05", 'name "form" does not match folder "forms"');
const field = (name: string, line = 4) =>
  sampleDiagnostic("SKM10", `unknown field "${name}"`, { line, jsonPath: `$.${name}` });
const badYaml = sampleDiagnostic("SKM02", "SKILL.md:3: nothing may follow a quote", { line: 3 });
const many = <Item>(count: number, made: (n: number) => Item) =>
  Array.from({ length: count }, (_, n) => made(n));

describe("what was found in skills, as text", () => {
  test("skill by skill, the worst first, errors before warnings, a hint where it is new", () => {
    const six = many(6, (n) => sampleSkill(`clean-${n}`));
    const skills = [
      ...six,
      sampleSkill("a", [field("x")]),
      sampleSkill("forms", [field("x"), field("y", 5), wrongName]),
    ];

    expect(lines(skills)).toEqual([
      "skills/forms  agent-skill, 98 + 1,240 tokens, 5,300 in files",
      '  ✗ SKM05  SKILL.md:2  name "form" does not match folder "forms" (rename one of them)',
      '  ! SKM10  SKILL.md:4  unknown field "x" (move it under metadata)',
      '  ! SKM10  SKILL.md:5  unknown field "y"',
      "",
      "skills/a  agent-skill, 98 + 1,240 tokens, 5,300 in files",
      '  ! SKM10  SKILL.md:4  unknown field "x" (move it under metadata)',
      "",
      "✓ clean  clean-0, clean-1, clean-2, clean-3, clean-4, clean-5",
      "",
      "8 skills: 6 clean, 1 error, 3 warnings",
      "all names and descriptions: 784 tokens",
      "failed: 1 error",
    ]);
  });

  test("a place that is shown beside the words is not said again, and the folder as a whole is not a place", () => {
    const duplicate = sampleDiagnostic("SKD04", 'id "x" in skills/a and skills/b', { file: ".", line: null });

    expect(lines([sampleSkill("b", [badYaml, duplicate])])).toEqual(
      expect.arrayContaining([
        "  ✗ SKM02  SKILL.md:3  nothing may follow a quote (quote values that contain a colon and a space)",
        '  ✗ SKD04              id "x" in skills/a and skills/b (change one of the ids)',
      ]),
    );
  });

  test("a skill by itself is reported also where it is clean, with what it costs", () => {
    const costs = (
      tokens: Partial<NonNullable<ExaminedSkill["tokens"]>>,
      facts: Partial<ExaminedSkill> = {},
    ) =>
      lines([
        sampleSkill("a", [], {
          tokens: { metadata: 98, body: 1240, resources: 0, isCapped: false, ...tokens },
          ...facts,
        }),
      ])[0];

    expect(costs({})).toBe("✓ skills/a  agent-skill, 98 + 1,240 tokens");
    expect(costs({ body: 5001 })).toBe("✓ skills/a  agent-skill, 98 + 5,001 tokens (5,000 recommended)");
    expect(costs({ resources: 120_893, isCapped: true })).toBe(
      "✓ skills/a  agent-skill, 98 + 1,240 tokens, ≥ 120,893 in files",
    );
    expect(costs({}, { tokens: null, id: "other", kind: null, kinds: [] })).toBe(
      "✓ other  skills/a  unknown kind",
    );
    expect(costs({}, { kinds: ["unit", "agent-skill"], kind: "unit" })).toContain(
      "  unit and agent-skill, 98",
    );
    expect(lines([sampleSkill("a")]).slice(1)).toEqual(["", "1 skill: 1 clean", "passed"]);
  });

  test("what sums up other findings comes after them, and what fixes two things is said once", () => {
    const summary = sampleDiagnostic("PTS01", "manifest: AHM03", { file: "skill.json", line: null });
    const words = { file: "skill.json", hint: "use a" };
    const [first, second] = [4, 5].map((line) => sampleDiagnostic("AHM03", `no ${line}`, { ...words, line }));
    const folder = sampleDiagnostic("SKD01", "skills/a: nothing there", { file: ".", line: null });

    expect(lines([sampleSkill("a", [folder, summary, first, second] as never)]).slice(1, 5)).toEqual([
      "  ✗ SKD01                nothing there (check the path, or run `eval-skills create`)",
      "  ✗ AHM03  skill.json:4  no 4 (use a)",
      "  ✗ AHM03  skill.json:5  no 5",
      "  ✗ PTS01  skill.json    manifest: AHM03 (fix the findings it lists)",
    ]);
  });

  test("skills in which nothing was found stand below each other, and what --fix could do is reported", () => {
    const fixable = { files: 2, codes: ["SKM09", "SKM10"] };

    expect(lines([sampleSkill("a"), sampleSkill("b")], { width: 40, fixable })).toEqual([
      "✓ skills/a",
      "    agent-skill, 98 + 1,240 tokens, 5,300 in files",
      "✓ skills/b",
      "    agent-skill, 98 + 1,240 tokens, 5,300 in files",
      "",
      "2 skills: 2 clean",
      "--fix can fix SKM09, SKM10 in 2 files",
      "all names and descriptions: 196 tokens",
      "passed",
    ]);
  });

  test("what many skills have in the same words is said once, with who they are", () => {
    const skills = many(12, (n) => sampleSkill(`s${n}`, n < 5 ? [field("version", n)] : []));

    expect(lines(skills).slice(0, 4)).toEqual([
      "in many skills",
      '  ! SKM10  5 skills  unknown field "version" (move it under metadata)',
      "                     s0, s1, s2, s3, s4",
      "",
    ]);
    const own = skills.map((skill, n) => ({
      ...skill,
      diagnostics: skill.diagnostics.map((diagnostic) => ({ ...diagnostic, hint: `write ${n}` })),
    }));
    expect(lines(own)[1]).toMatch(/\(move it under metadata\)$/); // a hint for one skill need not fit the others
    expect(lines(skills, { isWhole: true })[0]).toBe(
      "skills/s0  agent-skill, 98 + 1,240 tokens, 5,300 in files",
    );
  });

  test("thousands of findings stay readable: the worst, what is alike, a table of the rules, what is left out", () => {
    const skills = many(600, (n) =>
      sampleSkill(`s${n}`, [
        sampleDiagnostic("SKM05", `name "n${n}" does not match folder "s${n}"`),
        field("version"),
        ...(n % 10 === 0
          ? seven(sampleDiagnostic("SKM12", `SKILL.md:9: ${"x".repeat(n % 97)} missing`, { line: 9 }))
          : []),
      ]),
    );

    const text = lines(skills, { width: 80 });

    expect(text.length).toBeLessThan(340);
    expect(text).toEqual(
      expect.arrayContaining([
        "and 30 more skills with findings of their own",
        "--verbose shows all, --format json is machine-readable",
        "in many skills",
        '  ✗ SKM05  600 skills  name "n0" does not match folder "s0", and similar',
        "   Rule   Findings  Skills  Rule",
        "✗  SKM05       600     600  name matches the folder",
        "600 skills: 0 clean, 600 errors, 1,020 warnings",
      ]),
    );
    expect(lines(skills, { isWhole: true }).length).toBeGreaterThan(1800);
  });

  test("one rule that is broken over and over is counted, and so is what was not kept", () => {
    const links = many(9, (n) => sampleDiagnostic("SKM12", `SKILL.md:${n}: x${n} missing`, { line: n }));

    const text = lines([sampleSkill("a", links, { unlisted: 12 })]);

    expect(text.filter((line) => line.includes("missing"))).toHaveLength(5);
    expect(text).toContain("    and 4 more SKM12, 12 more findings");
    expect(text.find((line) => line.startsWith("1 skill:"))).toMatch(/, 12 more not listed$/);
  });

  test("it passes by the rule that was asked for", () => {
    const warned = [sampleSkill("a", [field("x")])];
    const verdict = (report: Parameters<typeof sampleExamination>[1]) =>
      doctorText(sampleExamination(warned, report), plain).trimEnd().split("\n").at(-1);

    expect(verdict({})).toBe("passed: no errors (--fail-on error)");
    expect(verdict({ failOn: "warning", exitCode: 1 })).toBe("failed: 1 warning (--fail-on warning)");
  });
});

describe("on a terminal", () => {
  test("lines fit, columns of wide letters too, and hidden characters are seen", () => {
    const hostile = sampleSkill(
      "技能填表",
      [
        sampleDiagnostic(
          "SKM12",
          "SKILL.md:9: [清单](引用/很长的文件名.md) missing\u001b[31m \u202e and more words to fill the line",
          {
            file: `引用/${"很长".repeat(20)}.md`,
          },
        ),
        wrongName,
      ],
      { folder: `skills/${"很".repeat(20)}/技能填表\n` },
    );

    const text = lines([hostile, sampleSkill("b", [field("\u200bx")])], { width: 70 });

    for (const line of text) expect(textWidth(line), line).toBeLessThanOrEqual(70);
    expect(text.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(text.join("\n")).toContain("\\u{200b}x");
  });

  test("marks, names and the verdict have colours", () => {
    const text = lines([sampleSkill("a", [wrongName, field("x")])], { color: true }).join("\n");

    expect(text).toContain("\u001b[31m✗\u001b[39m SKM05");
    expect(text).toContain("\u001b[33m!\u001b[39m SKM10");
    expect(text).toContain("\u001b[31mfailed\u001b[39m: 1 error");
  });
});

function seven<Item>(item: Item): Item[] {
  return Array.from({ length: 7 }, () => item);
}
