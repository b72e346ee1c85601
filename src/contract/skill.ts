import type { JsonObject, JsonSchema } from "../shared/json/json.ts";
import type { Diagnostic } from "./findings.ts";
import type { SandboxFloor } from "./limits.ts";
import type { PromptToolManifest } from "./prompt-tool-manifest.ts";
import type { SkillKind } from "./skill-facts.ts";
import type { AdapterConfig, SkillManifest } from "./unit-skill.ts";

/** Where a skill was found: with the project, with the user, or with this product. */
export type SkillSource = "project" | "user" | "builtin";

/** The text an agent is given when it uses a skill: where it lies, never the text itself. */
export interface Instructions {
  /** Relative to the folder of the skill, `/`-separated. */
  path: string;
  format: "md" | "txt" | "docx";
}

/** A function of a skill that a model may call. */
export interface SkillTool {
  name: string;
  description: string;
  /** Null where only its name is declared. */
  parameters: JsonSchema | null;
  /** Relative to the folder of the skill, `/`-separated. */
  script: string;
  /** When the assistant may use it without writing back, as declared. It changes nothing here. */
  hints?: JsonObject;
}

/** How a skill is called at unit level. */
interface SkillAdapter {
  type: AdapterConfig["type"];
  entrypoint: string;
  config: AdapterConfig;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  /** The least containment it accepts. */
  sandbox?: SandboxFloor | undefined;
  metadata: SkillManifest["metadata"];
}

/** What the author of a skill requests about its use. */
export interface SkillControls {
  enabled: boolean;
  modelInvocable: boolean;
  userInvocable: boolean;
  /** A request, never a grant; null if unspecified. */
  allowedTools: { tokens: string[]; mapped: string[]; unmapped: string[] } | null;
  /** Used only to break ties. */
  priority: number;
  /** Only one skill per group is chosen. */
  group: string | null;
  /** Empty means every host. */
  hosts: string[];
  requires: string[];
}

/** What the files that describe a skill say. One model for all kinds; only manifests and frontmatter were read. */
export interface DescribedSkill {
  /** The name in routing, logs and reports. */
  id: string;
  /** Other names for the id, accepted wherever an id is. */
  aliases: string[];
  kind: SkillKind;
  /** More than one where a folder can be used in several ways. */
  kinds: SkillKind[];
  name: string;
  version: string | null;
  description: string;
  tags: string[];
  /** What it is for, in a word each. */
  intents: string[];
  triggers: string[];
  notFor: string[];
  examples: string[];
  source: SkillSource;
  /** The folder of the skill, absolute. */
  dir: string;
  /** Its `skill.json`, absolute; null where it has none. */
  manifest: string | null;
  instructions: Instructions | null;
  tools: SkillTool[];
  /** Files below `scripts/`, relative to the folder, `/`-separated, in code-unit order. */
  scripts: string[];
  adapter: SkillAdapter | null;
  controls: SkillControls;
  /** What its answers promise to look like; null if unspecified. */
  output: NonNullable<PromptToolManifest["output"]> | null;
  /** What was written, is legal, and nobody here reads. */
  extra: JsonObject;
  /** What reading it found. */
  diagnostics: readonly Diagnostic[];
}

/** A skill that was read and hashed. */
export interface Skill extends DescribedSkill {
  /** `sha256:…` over its files. */
  digest: string;
  /** In code-unit order of path. */
  files: readonly SkillFile[];
}

/** A file that is part of a skill. */
export interface SkillFile {
  /** Relative to the folder, `/`-separated. */
  path: string;
  bytes: number;
  /** Hexadecimal. */
  sha256: string;
}
