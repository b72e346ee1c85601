import type { DescribedSkill, SkillControls } from "../../contract/skill.ts";

/** What the reader of one format finds out; where it lies and what was found on the way is added by its caller. */
export type SkillFacts = Omit<
  DescribedSkill,
  "kind" | "kinds" | "source" | "dir" | "diagnostics" | "scripts"
>;

/** Defaults for formats that cannot express controls. */
export const defaultControls: SkillControls = {
  enabled: true,
  modelInvocable: true,
  userInvocable: true,
  allowedTools: null,
  priority: 0,
  group: null,
  hosts: [],
  requires: [],
};
