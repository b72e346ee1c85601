import { describe, expect, test } from "vitest";
import { agentProject, answer, scripted, select } from "../../../test/agent-project.ts";

/** Of each command one case that passes and one that fails. */
const files = {
  "tea/SKILL.md": "---\nname: tea\ndescription: Makes tea. Use for a cup of tea.\n---\nMake tea.\n",
  "tea/eval.yaml":
    "triggering:\n  should_match: [{ id: cup, query: a cup of tea }, { id: odd, query: zzz }]\n  should_not_match: [a poem]\n",
  "evals/suite.json": {
    suite: "evals",
    cases: ["fines", "hours"].map((skill) =>
      scripted(skill, { expect: { skills_all_of: [skill] } }, [select("fines"), answer("due")]),
    ),
  },
  "plan.schema.json": { type: "object", required: ["steps"] },
  "bench.yaml": {
    id: "desk",
    schema: "plan.schema.json",
    target: { type: "model", model: "mock" },
    max_repairs: 0,
    cases: [{ steps: ["a"] }, {}].map((plan, n) => ({ id: `p${n}`, input: "a plan", mock: [plan] })),
  },
};

async function run(argv: string[], patterns: string[]) {
  const quarantine = patterns.map((one) => ({ case: one, until: "2999-12-31", reason: "outage" }));
  const config = { quarantine, gates: [{ minCompletion: 0.9 }] };
  await using project = await agentProject({ ...files, "eval-skills.config.yaml": config });
  const { exitCode, stdout, stderr } = await project.run([...argv, "--json"]);
  return { exitCode, stderr, report: JSON.parse(stdout) };
}

describe.each([
  ["trigger", ["trigger", "tea"], "tea/odd", "tea/*"],
  ["agent", ["agent", "eval", "evals"], "evals/hours", "evals/*"],
  ["planbench", ["planbench", "bench.yaml"], "desk/p1", "desk/*"],
])("the quarantine of the project file at %s", (_, argv, failing, all) => {
  test("lets a failing case decide nothing, and a whole suite have no verdict", async () => {
    expect((await run(argv, [])).exitCode).toBe(1);

    const { exitCode, report, stderr } = await run(argv, [failing]);
    expect(exitCode, stderr).toBe(0);
    expect(report.quarantine).toEqual([expect.objectContaining({ case: failing, cases: 1 })]);

    expect((await run(argv, [all])).exitCode).toBe(3);
  });
});
