import { type UnknownClass, unknownClasses } from "../../contract/agent-origin.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { SkillFile } from "./skill-locator.ts";

/** What a call of another agent is in our words. */
export type MappedCall =
  | { kind: "select"; skills: readonly { name: string; sourceHint: string | null }[] }
  /** Instructions of a skill that are read. */
  | { kind: "body"; file: SkillFile }
  | { kind: "resource"; file: SkillFile; section?: string }
  | { kind: "script"; file: SkillFile; args: readonly string[] }
  | { kind: "tool"; tool: string; arguments: JsonObject };

export function mapReading(file: SkillFile): MappedCall {
  return file.path.toLowerCase() === "skill.md" ? { kind: "body", file } : { kind: "resource", file };
}

/** What a rule would see of it. */
export function mappedClasses(one: MappedCall): UnknownClass[] {
  if (one.kind === "select") return ["select_skills"];
  if (one.kind === "body") return ["select_skills", "load_resource"];
  if (one.kind === "resource") return ["load_resource"];
  if (one.kind === "script") return ["run_script"];
  return [unknownClasses.find((known) => known === one.tool) ?? "other_tool"];
}
