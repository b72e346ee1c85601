import type { AgentError } from "../../contract/agent-error.ts";
import type { AgentCatalog } from "../../contract/agent-parts.ts";
import type { PathAudit } from "../../contract/agent-record.ts";
import type { FileTooLarge } from "../../shared/files/guarded-file.ts";
import type { PathFacts, PathRefusal } from "../../shared/files/path-guard.ts";
import { failedPath } from "../../shared/files/path-guard-refusal.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { hides } from "../loader/hides.ts";
import { type ToolPlace, toolPathAudit } from "./resolve-tool-path.ts";

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
export function hidesFromTool(place: ToolPlace, hiding: Hiding, path: PathFacts): boolean {
  return place.skill !== null && hides(hiding, path);
}

export function refusedReading(place: ToolPlace, refusal: PathRefusal | FileTooLarge): ToolReading {
  const { code, message, reason, path } = refusal;
  const started = code === "FileTooLarge";
  return { ok: false, started, error: { code, message, reason }, path: toolPathAudit(place, path) };
}

/** What is said of something hidden, as of anything that is not there. */
export function absentReading(place: ToolPlace): ToolReading {
  return refusedReading(place, failedPath(place.path, "ENOENT"));
}

export function failedReading(
  place: ToolPlace,
  error: AgentError,
  path: PathFacts,
  started = true,
): ToolReading {
  return { ok: false, started, error, path: toolPathAudit(place, path) };
}
