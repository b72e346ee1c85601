import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import { type PathFacts, splitToolPath } from "../../shared/files/path-guard.ts";
import { shownText } from "../../shared/text/visible-text.ts";

/** The base that a tool's path means, and the path below it. Nothing was looked at yet. */
export interface ToolPlace {
  ok: true;
  /** As the model wrote it. */
  requested: string;
  /** The workspace, or the folder of a skill: absolute. */
  base: string;
  /** `.` for the base itself. */
  path: string;
  /** Null: the workspace. */
  skill: AgentSkill | null;
}

/** Reads the path of a built-in tool: relative to the workspace, or `skill:<name>/<path>` in a skill that is selected. */
export function resolveToolPath(
  requested: string,
  { workspace, selected }: { workspace: string; selected: readonly AgentSkill[] },
): ToolPlace | { ok: false; error: AgentError; path: PathAudit } {
  const { skill: name, rest } = splitToolPath(requested);
  if (name === null) return { ok: true, requested, base: workspace, path: rest, skill: null };
  const skill = selected.find((each) => each.name === name);
  if (skill !== undefined) return { ok: true, requested, base: skill.dir, path: rest, skill };
  return {
    ok: false,
    error: { code: "SkillNotSelected", message: `the skill ${shownText(name)} is not selected` },
    path: { requested, resolved: null, inside: false },
  };
}

/** A path below a base as a model would write it, so that it can ask for what it was shown. */
export function toolPath({ skill }: ToolPlace, path: string): string {
  return skill === null ? path : `skill:${skill.name}/${path}`;
}

/** What the audit records of a path, as the model wrote it. */
export function toolPathAudit(place: ToolPlace, { resolved, inside }: PathFacts): PathAudit {
  return {
    requested: place.requested,
    resolved: resolved === null ? null : toolPath(place, resolved),
    inside,
  };
}
