import type { Diagnostics } from "../contract/diagnostics.ts";
import type { DescribedSkill, SkillSource } from "../contract/skill.ts";
import { readAgentSkill } from "./agent-skill/read-agent-skill.ts";
import { type Detection, detectKind, instructionsName } from "./detect-kind.ts";
import { readPromptTool } from "./prompt-tool/read-prompt-tool.ts";
import type { Sidecar } from "./sidecar.ts";
import type { SkillFacts } from "./skill-facts.ts";
import type { SkillFolder } from "./skill-folder.ts";
import { readUnitSkill } from "./unit/read-unit-skill.ts";

/**
 * What the files that describe a skill say, whatever its kind: the one way from a folder to the model. Null where it is
 * no skill or cannot be loaded; why stands in the diagnostics.
 */
export async function describeSkill(
  folder: SkillFolder,
  source: SkillSource,
  diagnostics: Diagnostics,
): Promise<DescribedSkill | null> {
  const detection = await detectKind(folder, diagnostics);
  if (detection.kind === "none" || detection.kind === "broken") return null;
  diagnostics.kind = detection.kind;
  const facts = await readFacts(folder, detection, diagnostics);
  if (facts === null) return null;
  diagnostics.skill = facts.id;
  const faces: DescribedSkill["faces"] =
    detection.kind === "unit" && facts.instructions !== null ? ["unit", "agent-skill"] : [detection.kind];
  return {
    ...withSidecar(facts, detection.sidecar),
    kind: detection.kind,
    faces,
    source,
    dir: folder.dir,
    scripts: scriptsOf(folder),
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
      return unit === null || !folder.has(instructionsName) ? unit : withAgentFace(unit, folder, diagnostics);
    }
    default:
      return detection satisfies never;
  }
}

/** Id and adapter of `skill.json`, instructions and controls of the `SKILL.md` beside it. */
async function withAgentFace(
  unit: SkillFacts,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<SkillFacts> {
  const agent = await readAgentSkill(folder, instructionsName, diagnostics);
  if (agent === null) return unit;
  if (agent.name !== unit.id && agent.name !== unit.name)
    diagnostics.add("SKD07", { file: instructionsName }, `${agent.name}: expected ${unit.id}`);
  return {
    ...unit,
    aliases: agent.name === unit.id ? [] : [agent.name],
    instructions: agent.instructions,
    controls: agent.controls,
  };
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

/** Files below `scripts/`, in code-unit order; helpers in folders of it included. */
function scriptsOf(folder: SkillFolder): string[] {
  const found: string[] = [];
  const waiting = ["scripts"];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    for (const name of folder.names(path)) {
      const file = `${path}/${name}`;
      if (folder.has(file)) found.push(file);
      else if (name !== "__pycache__" && path.split("/").length < 6) waiting.push(file);
    }
  }
  return found.sort();
}
