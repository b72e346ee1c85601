import type { AgentError } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentCatalog, AgentSkill } from "../../contract/agent-parts.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import type { FileTooLarge } from "../../shared/files/guarded-file.ts";
import {
  failedPath,
  type PathFacts,
  type PathRefusal,
  splitToolPath,
} from "../../shared/files/path-guard.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { hides } from "../loader/guarded-text.ts";
import { plainObservation, refusedWork, type ToolOrder, type ToolWork } from "./tool-work.ts";

/** How a tool that reads ended. */
export type ToolReading =
  | {
      ok: true;
      /** What the model is shown. */
      text: string;
      /** All there is, where the text is a part of it. */
      whole?: Uint8Array | undefined;
      /** Small facts for the event. */
      facts: JsonObject;
      path: PathAudit;
    }
  | {
      ok: false;
      /** Whether anything was opened. */
      started: boolean;
      error: AgentError;
      path: PathAudit;
    };

/** What a tool that reads must know of the skills: what does not exist for an agent. */
export type Hiding = Pick<AgentCatalog, "isHidden">;

/** Only the folder of a skill has material that tests it. */
export function hidesFromTool(location: ToolLocation, hiding: Hiding, path: PathFacts): boolean {
  return location.skill !== null && hides(hiding, path);
}

export function refusedReading(location: ToolLocation, refusal: PathRefusal | FileTooLarge): ToolReading {
  const { code, message, reason, path } = refusal;
  const started = code === "FileTooLarge";
  return { ok: false, started, error: { code, message, reason }, path: toolPathAudit(location, path) };
}

/** The reading of a hidden file: the same as of one that does not exist. */
export function absentReading(location: ToolLocation): ToolReading {
  return refusedReading(location, failedPath(location.path, "ENOENT"));
}

export function failedReading(
  location: ToolLocation,
  error: AgentError,
  path: PathFacts,
  started = true,
): ToolReading {
  return { ok: false, started, error, path: toolPathAudit(location, path) };
}

/** The base that a tool's path means, and the path below it. Nothing was looked at yet. */
export interface ToolLocation {
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
): ToolLocation | { ok: false; error: AgentError; path: PathAudit } {
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
export function toolPath({ skill }: ToolLocation, path: string): string {
  return skill === null ? path : `skill:${skill.name}/${path}`;
}

/** What the audit records of a path, as the model wrote it. */
export function toolPathAudit(location: ToolLocation, { resolved, inside }: PathFacts): PathAudit {
  return {
    requested: location.requested,
    resolved: resolved === null ? null : toolPath(location, resolved),
    inside,
  };
}

/** The result of a reading tool; text that was shown only in part is stored whole. */
export async function readingWork(
  tool: string,
  { callId, args: { path }, selected }: ToolOrder<{ path: string }>,
  log: Pick<RunLog, "workspace" | "keep">,
  read: (location: ToolLocation) => ToolReading | Promise<ToolReading>,
): Promise<ToolWork> {
  const location = resolveToolPath(path, { workspace: log.workspace, selected });
  if (!location.ok) return refusedWork(location.error, { path: location.path });
  const reading = await read(location);
  if (!reading.ok) return refusedWork(reading.error, { started: reading.started, path: reading.path });
  const { text, whole, facts } = reading;
  const stored = whole === undefined ? null : log.keep(`${callId}-${tool}.txt`, whole);
  return {
    started: true,
    result: facts,
    observation:
      stored === null
        ? plainObservation(text)
        : { summary: text, storage_ref: stored.ref, sha256: stored.sha256 },
    path: reading.path,
  };
}
