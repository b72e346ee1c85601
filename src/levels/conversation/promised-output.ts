import { findOutputSchema } from "../../config/schemas/find-output-schema.ts";
import type { OutputContract } from "../../contract/output-contract.ts";
import type { DescribedSkill } from "../../contract/skill.ts";

type Promising = Pick<DescribedSkill, "dir" | "output">;

/** What an output promises to be: the word of the first of these skills that gives one; null where none does. */
export function promisedOutput(
  skills: readonly Promising[],
  { schemas, cwd }: { schemas: Readonly<Record<string, string>>; cwd: string },
): OutputContract | null {
  const first = skills.find(({ output }) => output !== null);
  if (first === undefined || first.output === null) return null;
  const { markers = [], max_chars, output_schema } = first.output;
  const places = { given: schemas, skillDir: first.dir, cwd };
  const found = output_schema === undefined ? null : findOutputSchema(output_schema, places);
  return {
    markers,
    maxChars: max_chars ?? null,
    schemas: found === null ? [] : [{ name: found.name, schema: found.schema }],
  };
}
