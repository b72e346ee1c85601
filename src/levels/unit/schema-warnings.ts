import type { ResolvedTask } from "../../contract/cell.ts";
import type { UnitSkill } from "../../contract/unit-skill.ts";
import type { JsonSchema } from "../../shared/json/json.ts";
import { pluralize } from "../../shared/text/phrases.ts";
import { isOpenSchema } from "../../skills/targets/load-skills.ts";
import type { OutputCheck } from "./execution.ts";

type Validate = (value: unknown) => string[];

/** Warns of inputs that do not match a skill's schema: one warning per skill, since its tasks mostly share one mistake. */
export async function checkInputs(
  skills: readonly UnitSkill[],
  tasks: readonly ResolvedTask[],
): Promise<string[]> {
  const warnings: string[] = [];
  for (const skill of skills) {
    // Tools refuse invalid arguments, which is an outcome that a task may test.
    if (skill.adapter.type === "tool") continue;
    const validate = await validator(skill.inputSchema);
    if (validate === null) continue;
    const problems = tasks.flatMap(({ task }) => {
      const [problem] = validate(task.inputData);
      return problem === undefined ? [] : [`${task.id}: ${problem}`];
    });
    const [first] = problems;
    if (first === undefined) continue;
    const share = `${problems.length} of ${pluralize(tasks.length, "task")}`;
    warnings.push(
      `the inputs of ${share} do not match the inputSchema of ${skill.id}, first ${first}; fix inputSchema in its skill.json, or the tasks`,
    );
  }
  return warnings;
}

/** Checks outputs against the skill's schema; never changes a verdict. */
export async function outputCheck(skills: readonly UnitSkill[]): Promise<OutputCheck> {
  const validators = new Map<string, Validate>();
  for (const { id, outputSchema } of skills) {
    const validate = await validator(outputSchema);
    if (validate !== null) validators.set(id, validate);
  }
  return ({ subject }, output) => {
    const [problem] = validators.get(subject.skillId)?.(output) ?? [];
    return problem === undefined ? [] : [`the output does not match the outputSchema: ${problem}`];
  };
}

async function validator(schema: JsonSchema): Promise<Validate | null> {
  if (isOpenSchema(schema)) return null;
  const { compileSchema } = await import("../../shared/json/json-schema.ts");
  const compiled = compileSchema(schema);
  if (!compiled.ok) return null;
  let problem: string | null = null;
  return (value) => {
    // Checking blocks everything else: a schema that took too long once is not tried again.
    if (problem !== null) return [problem];
    try {
      return compiled.validate(value);
    } catch (error) {
      problem = `it could not be checked: ${(error as Error).message}`;
      return [problem];
    }
  };
}
