import type { EventData } from "../contract/agent-event.ts";
import type { AgentCatalog, AgentSkill } from "../contract/agent-parts.ts";
import type { Profile } from "../contract/findings.ts";
import type { Skill } from "../contract/skill.ts";
import { readBody } from "../engine/skills/prompted-skills.ts";
import { foldersIn, type SkillRoot } from "../engine/skills/skill-root-folders.ts";
import { systemClock } from "../shared/async/clock.ts";
import { nearPath } from "../shared/files/paths.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";
import { isMap } from "../shared/json/json-values.ts";
import type { FoundFolder } from "../skills/discover/discover-skills.ts";
import { type FolderWatch, watchFolder } from "../skills/folder/folder-watch.ts";
import { openCatalog, type SkillSnapshot } from "../skills/skill-catalog.ts";

interface CatalogOptions {
  roots: readonly SkillRoot[];
  profile: Profile;
  /** The folder that shown paths are relative to. */
  cwd: string;
  /** Never part of a skill: the store, reports, run directories. */
  exclude: readonly string[];
  preinstalled?: EventData<"skills_indexed">["preinstalled"] | undefined;
}

/** A catalog that knows more about its skills than an agent does. */
export interface DescribedCatalog extends AgentCatalog {
  /** Those of every source, hidden ones among them. */
  described: readonly Skill[];
}

/** Reads the skills of a run: manifests and frontmatter, never a body. */
export async function agentCatalog(options: CatalogOptions): Promise<DescribedCatalog> {
  const { roots, profile, cwd, exclude, preinstalled = [] } = options;
  const began = systemClock.monotonic();
  const found: FoundFolder[] = [];
  for (const [n, root] of roots.entries()) found.push(...(await foldersIn(root, n + 1, cwd)));
  const snapshot = await openCatalog({ discover: () => found, profile, exclude }).current();
  const fits = ({ skill }: SkillSnapshot) => skill.instructions !== null && skill.controls.enabled;
  const usable = snapshot.skills.filter(fits);
  const skills = usable.map(({ skill }) => agentSkill(skill));
  const shadowed = snapshot.hidden.filter(fits);
  const all = new Map([...usable, ...shadowed].map(({ skill }) => [skill, agentSkill(skill)]));
  const sources = new Map([...all].map(([skill, agent]) => [agent.dir, skill]));
  const watches = new Map<string, FolderWatch | null>();
  const index = skills.map(({ name, source, digest, description }) => ({
    name,
    source,
    digest,
    description,
  }));
  const ignored = [
    ...snapshot.broken.map((entry) => ({
      path: nearPath(entry.found.dir, cwd),
      reason: entry.diagnostics[0]?.code ?? "unreadable",
    })),
    ...snapshot.skills
      .filter((entry) => !fits(entry))
      .map(({ skill }) => ({
        path: nearPath(skill.dir, cwd),
        reason: skill.controls.enabled ? "no instructions" : "disabled",
      })),
  ];
  return {
    skills,
    described: [...usable, ...shadowed].map(({ skill }) => skill),
    find(name, source) {
      const known =
        source === undefined ? skills : [...all.values()].filter((skill) => skill.source === source);
      const byName = known.find((skill) => skill.name === name);
      return byName ?? known.find((skill) => sources.get(skill.dir)?.aliases.includes(name)) ?? null;
    },
    indexed: {
      roots: roots.map(({ source, path }) => ({ source, path: nearPath(path, cwd) })),
      found: found.length,
      valid: skills.length,
      skills: usable.map(({ skill }) => toListing(skill)),
      ...(shadowed.length > 0 && { shadowed: shadowed.map(({ skill }) => toListing(skill)) }),
      preinstalled,
      ignored,
      conflicts: snapshot.conflicts.map((conflict) => ({ ...conflict })),
      index_hash: sha256(canonicalJson(index)),
      duration_ms: Math.round(systemClock.monotonic() - began),
    },
    readBody: (skill) => readBody(skill),
    isUnchanged(skill, isJustDone = false) {
      const known = watches.get(skill.dir) ?? watchSkill(sources.get(skill.dir), exclude);
      watches.set(skill.dir, known);
      return known !== null && (isJustDone ? known.look() : known.isUnchanged());
    },
    isHidden: isHiddenMaterial,
  };
}

function agentSkill(skill: Skill): AgentSkill {
  const { id, source, description, digest, dir, controls, tools, instructions } = skill;
  return {
    name: id,
    source,
    description,
    digest,
    dir,
    modelInvocable: controls.modelInvocable,
    allowedTools: controls.allowedTools,
    tools,
    scripts: scriptSettings(skill),
    // Only those with instructions come here.
    instructions: instructions ?? { path: "SKILL.md", format: "md" },
  };
}

/** A skill as the record of a run names it. */
function toListing({ id, source, digest, controls, aliases }: Skill) {
  const { modelInvocable, allowedTools } = controls;
  return {
    name: id,
    source,
    digest,
    ...(!modelInvocable && { invocable: false }),
    ...(allowedTools !== null && { allowed_tools: [...allowedTools.mapped] }),
    ...(aliases.length > 0 && { aliases: [...aliases] }),
  };
}

function watchSkill(skill: Skill | undefined, exclude: readonly string[]): FolderWatch | null {
  if (skill === undefined) return null;
  const ignore = skill.adapter?.metadata.digestIgnore ?? [];
  return watchFolder(skill.dir, { ignore, exclude }, skill);
}

/** A skill may give up the network and time for its own scripts. */
function scriptSettings({ adapter, extra }: Skill): AgentSkill["scripts"] {
  const metadata: Readonly<Record<string, unknown>> = {
    ...(isMap(extra.metadata) ? extra.metadata : {}),
    ...adapter?.metadata,
  };
  const seconds = Number(metadata["eval-skills.max-script-time-sec"]);
  return {
    network: String(metadata["eval-skills.allow-network"]).toLowerCase() === "false" ? "none" : null,
    maxMs: seconds > 0 && Number.isFinite(seconds) ? seconds * 1000 : null,
  };
}

/** Whether a path in the folder of a skill is what tests it: an agent that could read it would know the answers. */
function isHiddenMaterial(path: string): boolean {
  // Some file systems take other letters for the same name.
  const [top, ...below] = path.toLowerCase().split("/");
  if (top === "eval.yaml" || top === "eval.yml" || top === "evals") return true;
  return top === "tests" && below.at(-1)?.endsWith(".eval.json") === true;
}
