import type { RunLog } from "../../contract/agent-log.ts";
import { resolveToolPath, type ToolPlace } from "./resolve-tool-path.ts";
import type { ToolReading } from "./tool-reading.ts";
import { plainObservation, refusedWork, type ToolOrder, type ToolWork } from "./tool-work.ts";

/** What a tool that reads came to; what it showed only in part is kept whole beside. */
export async function readingWork(
  tool: string,
  { callId, args: { path }, selected }: ToolOrder<{ path: string }>,
  log: Pick<RunLog, "workspace" | "keep">,
  read: (place: ToolPlace) => ToolReading | Promise<ToolReading>,
): Promise<ToolWork> {
  const place = resolveToolPath(path, { workspace: log.workspace, selected });
  if (!place.ok) return refusedWork(place.error, { path: place.path });
  const reading = await read(place);
  if (!reading.ok) return refusedWork(reading.error, { started: reading.started, path: reading.path });
  const { text, whole, facts } = reading;
  const kept = whole === undefined ? null : log.keep(`${callId}-${tool}.txt`, whole);
  return {
    started: true,
    result: facts,
    observation:
      kept === null ? plainObservation(text) : { summary: text, storage_ref: kept.ref, sha256: kept.sha256 },
    path: reading.path,
  };
}
