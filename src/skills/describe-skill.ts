import type { DiagnosticLocation, Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill, SkillSource } from "../contract/skill.ts";
import { readAgentSkill } from "./agent-skill/read-agent-skill.ts";
import { readFrontmatter } from "./agent-skill/read-frontmatter.ts";
import { type Detection, detectKind, findInstructions } from "./folder/detect-kind.ts";
import type { Sidecar } from "./folder/sidecar.ts";
import type { SkillFacts } from "./folder/skill-facts.ts";
import { skillScripts } from "./folder/skill-files.ts";
import type { SkillFolder } from "./folder/skill-folder.ts";
import { readPromptTool } from "./prompt-tool/read-prompt-tool.ts";
import { readUnitSkill } from "./unit/read-unit-skill.ts";

/**
 * What the files that describe a skill say, whatever its kind: the one way from a folder to the model. Null if it is
 * not a skill or cannot be loaded; the diagnostics say why.
 */
export async function describeSkill(
  folder: SkillFolder,
  source: SkillSource,
  diagnostics: Diagnostics,
): Promise<DescribedSkill | null> {
  const detection = await detectKind(folder, diagnostics);
  if (detection.kind === "none" || detection.kind === "broken") return null;
  diagnostics.kind = detection.kind;
  reportUnreadSidecar(detection, diagnostics);
  const facts = await readFacts(folder, detection, diagnostics);
  if (facts === null) return null;
  diagnostics.skill = facts.id;
  const kinds: DescribedSkill["kinds"] =
    detection.kind === "unit" && facts.instructions !== null ? ["unit", "agent-skill"] : [detection.kind];
  return {
    ...withSidecar(facts, detection.sidecar),
    kind: detection.kind,
    kinds,
    source,
    dir: folder.dir,
    scripts: skillScripts(folder),
    diagnostics: diagnostics.list(),
  };
}

type Skillful = Exclude<Detection, { kind: "none" | "broken" }>;

async function readFacts(
  folder: SkillFolder,
  detection: Skillful,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  switch (detection.kind) {
    case "agent-skill":
      return readAgentSkill(folder, detection.file, diagnostics);
    case "prompt-tool":
      return readPromptTool(folder, detection, diagnostics);
    case "unit": {
      const unit = await readUnitSkill(folder, detection.manifest, diagnostics);
      const instructions = findInstructions(folder, diagnostics);
      return instructions === null ? unit : withAgentInstructions(unit, instructions, folder, diagnostics);
    }
    default:
      return detection satisfies never;
  }
}

/** Id and adapter of `skill.json`, instructions and controls of the `SKILL.md` beside it, which is read even if the first is broken. */
async function withAgentInstructions(
  unit: SkillFacts | null,
  file: string,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  const agent = await readAgentSkill(folder, file, diagnostics);
  if (unit === null || agent === null) return unit;
  if (!agreeOnName(unit, agent.name))
    diagnostics.add("SKD07", await locateName(folder, file), `${agent.name}: expected ${asWords(unit.id)}`, {
      hint: `write name: ${asWords(unit.id)}, or change the id`,
    });
  return {
    ...unit,
    aliases: agent.name === unit.id ? [] : [agent.name],
    triggers: unit.triggers.length === 0 ? agent.triggers : unit.triggers,
    notFor: unit.notFor.length === 0 ? agent.notFor : unit.notFor,
    instructions: agent.instructions,
    controls: agent.controls,
    extra: { ...agent.extra, ...unit.extra },
  };
}

/** The two may be written by different rules: `my_calc` and "My Calc" agree with `my-calc`. */
function agreeOnName({ id, name }: SkillFacts, other: string): boolean {
  return [id, name].some((own) => asWords(own) === asWords(other));
}

function asWords(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== "")
    .join("-");
}

async function locateName(folder: SkillFolder, file: string): Promise<DiagnosticLocation> {
  const read = await readFrontmatter(folder, file);
  return read.ok ? { file, ...read.frontmatter.locate(["name"]) } : { file };
}

/** An unreadable `meta.yml` loses part of the skill's card and, for a prompt, which file is the prompt. */
function reportUnreadSidecar({ kind, sidecar }: Skillful, diagnostics: Diagnostics): void {
  if (sidecar?.fault == null) return;
  const { line, column, problem, hint = "fix the YAML there" } = sidecar.fault;
  const [code, about] = kind === "prompt-tool" ? (["AHM05", ""] as const) : (["TRG15", "card: "] as const);
  diagnostics.add(code, { file: "meta.yml", line, column }, `${about}meta.yml: not read, ${problem}`, {
    hint,
  });
}

function withSidecar(facts: SkillFacts, sidecar: Sidecar | null): SkillFacts {
  if (sidecar === null) return facts;
  const { description, summary, triggers, notFor } = sidecar;
  return {
    ...facts,
    description: facts.description === "" ? (description ?? summary ?? "") : facts.description,
    triggers: facts.triggers.length === 0 ? triggers : facts.triggers,
    notFor: facts.notFor.length === 0 ? notFor : facts.notFor,
  };
}
