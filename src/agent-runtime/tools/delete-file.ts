import { deleteInside } from "../../shared/files/guarded-open.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { errorOfPath } from "./path-error.ts";
import { plainObservation, refusedWork, type ToolWork } from "./tool-work.ts";

/** Deletes one plain file of the workspace. */
export function deleteFile({ path }: { path: string }, workspace: string): ToolWork {
  const deleted = deleteInside(workspace, path);
  if (!deleted.ok) return refusedWork(errorOfPath(deleted), { path: { ...deleted.path } });
  return {
    started: true,
    result: {},
    observation: plainObservation(`deleted ${shownText(path)}`),
    path: { ...deleted.path },
  };
}
