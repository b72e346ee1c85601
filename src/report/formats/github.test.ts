import { describe, expect, test } from "vitest";
import { type ReportParts, skillParts } from "../../../test/sample-report-file.ts";
import { plainUnit, sampleGate, sampleView, type ViewOptions } from "../../../test/sample-view.ts";
import { annotations } from "../view/github-annotations.ts";
import { githubFormat } from "./github.ts";

const commentLimit = 65_000;

function rendered(parts: readonly ReportParts[], options?: ViewOptions): string {
  return [...githubFormat.render(sampleView(parts, options))].join("");
}

function annotated(parts: readonly ReportParts[], options?: ViewOptions): string[] {
  return [...annotations(sampleView(parts, options))];
}

/** Skills whose tasks all failed. */
function failing(count: number, tasks: number, reason = "expected 1, got 2"): ReportParts[] {
  const ids = Array.from({ length: tasks }, (_, n) => [`task_${n}`, "f"]);
  return Array.from({ length: count }, (_, n) => {
    const parts = skillParts({ skillId: `skill_${n}`, tasks: Object.fromEntries(ids) });
    return { ...parts, cells: parts.cells?.map((cell) => ({ ...cell, reason })) ?? [] };
  });
}

describe("the page", () => {
  test("says what came out, of whom, what failed and how the run was made", () => {
    const text = rendered([
      skillParts({ skillId: "fine", tasks: { t1: "p" } }),
      skillParts({ skillId: "calc", tasks: { t1: "f", t2: "p" }, completionRate: 0.5 }),
      sampleGate("calc", false),
      { exitCode: 1 },
    ]);

    expect(text).toBe(`## ✗ 1 of 3 failed

- completion: 1 skill below the 90% threshold: calc (50.0%)

**unit · coding-easy · 2 tasks**

|     | Skill | Result        | Completion | Error rate |
| --- | ----- | ------------- | ---------: | ---------: |
| ✗   | calc  | 1 of 2 failed |      50.0% |       1.7% |
| ✓   | fine  | 1 passed      |      95.0% |       1.7% |

### What failed

<details open><summary>calc: 1 of 2 failed</summary>

- **t1**: failed: expected 1, got 2

</details>

eval-skills 1.0.0 · run 20260301T072410Z-k3f9 · took 20.5 s · process, network: open, answer keys readable · reports/eval-result.json
`);
  });

  test.each([
    ["many subjects", failing(100, 25)],
    ["long reasons", failing(30, 30, `${"an explanation with words ".repeat(40)}\n`.repeat(10))],
    ["reasons that escaping makes longer", failing(30, 30, "<&@[\u202e".repeat(400))],
    ["many suites", failing(200, 2).map((part, n) => inSuite(part, `suite_${n}`))],
    [
      "long names and warnings",
      [
        ...failing(20, 20).map((part) => inSuite(part, "<".repeat(5000))),
        { warnings: Array.from({ length: 500 }, () => "<w> ".repeat(1000)) },
      ],
    ],
  ])("stays short enough for a comment with %s, and leaves out whole entries only", (_, parts) => {
    const text = rendered(parts);

    expect(text.length).toBeLessThan(commentLimit);
    expect(text.match(/<details/g)).toHaveLength(text.match(/<\/details>/g)?.length ?? 0);
    expect(text).toMatch(/… (and )?[\d,]+ more/);
  });

  test("calls nobody and refers to no issue: GitHub looks for both after Markdown is done", () => {
    const name = "@octocat closes #12 and GH-7";
    const part = skillParts({ skillId: name, tasks: { [name]: "f" } });

    const text = rendered([
      { ...part, cells: part.cells?.map((cell) => ({ ...cell, reason: `${name}\n${name}` })) ?? [] },
      { warnings: [name] },
    ]);

    expect(text.match(/octocat/g)?.length).toBeGreaterThan(4);
    expect(text).not.toMatch(/@octocat|#12|GH-7/);
  });

  test("runs nothing in a workflow that prints it", () => {
    const text = rendered(failing(1, 1, "two lines\n  ::error::owned\n##[group]owned"));

    expect(text).toContain("owned");
    expect(text).not.toMatch(/^\s*::|##\[/m);
  });
});

function inSuite({ subjects = [], cases = [], cells = [] }: ReportParts, suite: string): ReportParts {
  const moved = <Item extends { suite: string }>(items: readonly Item[]) =>
    items.map((one) => ({ ...one, suite }));
  return { subjects: moved(subjects), cases: moved(cases), cells: moved(cells) };
}

describe("annotations", () => {
  test("stand at the file of the case, the verdict before them, with the lines that a reason has", () => {
    const commands = annotated(
      [...failing(1, 1, "a: 100%\nsecond, line"), sampleGate("skill_0", false), { exitCode: 1 }],
      { fileOf: ({ caseId }) => `tests/${caseId}.yaml` },
    );

    expect(commands).toEqual([
      "::error title=1 of 1 failed::completion: 1 skill below the 90%25 threshold: skill_0 (50.0%25)",
      "::error title=skill_0%3A task_0 failed,file=tests/task_0.yaml::a: 100%25%0Asecond, line",
    ]);
  });

  test("are as many as GitHub shows, and then how many more there are", () => {
    const commands = annotated([
      ...failing(4, 5),
      ...failing(4, 5).map((_, n) => sampleGate(`skill_${n}`, false)),
      { exitCode: 1 },
    ]);

    expect(commands.filter((command) => command.startsWith("::error"))).toHaveLength(10);
    expect(commands).toHaveLength(11);
    expect(commands.at(-1)).toBe(
      "::notice title=20 of 20 failed::and 11 more that did not pass; eval-skills report show reports/eval-result.json",
    );
  });

  test("are errors only for what fails the run", () => {
    const kinds = (parts: readonly ReportParts[], options?: ViewOptions) =>
      annotated(parts, options).map((command) => command.replace(/^::(\w+) title=(\w+).*/, "$1 $2"));
    const [first = {}, second = {}] = failing(2, 1);

    expect(kinds([first])).toEqual(["warning skill_0"]);
    expect(kinds([first, sampleGate("skill_0", false, false)])).toEqual(["warning skill_0"]);
    expect(kinds([first, second, sampleGate("skill_0", false), { exitCode: 1 }])).toEqual([
      "error 2",
      "error skill_0",
      "warning skill_1",
    ]);
    expect(kinds([first], { levels: [{ ...plainUnit, view: { isReference: () => true } }] })).toEqual([]);
  });

  test("of what has no verdict are warnings that say so", () => {
    const commands = annotated([skillParts({ tasks: { t1: "i" } }), { exitCode: 3 }]);

    expect(commands).toEqual([
      "::error title=no verdict::fix what has no verdict and run again, or accept a share of it with --max-invalid",
      "::warning title=my_calc%3A t1 no verdict::no verdict",
    ]);
  });
});
