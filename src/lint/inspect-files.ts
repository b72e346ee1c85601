import type { UnitSkill } from "../contract/unit-skill.ts";
import { inspectDescription, inspectMetadata } from "./inspect/metadata.ts";
import { inspectSchemas } from "./inspect/schemas.ts";
import { type BenchmarkProblem, inspectStructure } from "./inspect/structure.ts";
import { inspectUsability } from "./inspect/usability.ts";

const checks = {
  metadata: inspectMetadata,
  description: inspectDescription,
  structure: inspectStructure,
  schemas: inspectSchemas,
  usability: inspectUsability,
} satisfies Record<
  string,
  (skill: UnitSkill, benchmarkProblem: BenchmarkProblem) => string[] | Promise<string[]>
>;

export type FilesCheck = keyof typeof checks;
export const filesChecks = Object.keys(checks) as FilesCheck[];

/** Checks the files of a skill without calling it: one line per check, `ok` or what is wrong. */
export async function inspectFiles(
  skill: UnitSkill,
  check: FilesCheck,
  benchmarkProblem: BenchmarkProblem,
): Promise<{ findings: string[] }> {
  return { findings: await checks[check](skill, benchmarkProblem) };
}
