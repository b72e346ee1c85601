import { closeSync, fstatSync, mkdirSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import type * as z from "zod";
import type { AgentError } from "../../contract/agent-error.ts";
import type { toolArguments } from "../../contract/agent-tools.ts";
import type { OpenedInside } from "../../shared/files/guarded-descriptor.ts";
import { deleteInside, openInside } from "../../shared/files/guarded-open.ts";
import { locateInside } from "../../shared/files/guarded-path.ts";
import { errno, failedPath, type PathRefusal } from "../../shared/files/path-guard.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import { errorOfPath, plainObservation, refusedWork, type ToolWork } from "./tool-work.ts";

type WriteArguments = z.output<typeof toolArguments.write_file>;

const maxBytes = 1_000_000;

/** What is wrong with the content, whatever is there already. */
export function contentProblem({ path, content }: WriteArguments): AgentError | null {
  return tooLarge(path, Buffer.byteLength(content));
}

/** Writes a file of the workspace and creates its folders. Only `create` refuses a file that exists. */
export function writeFile({ path, content, mode }: WriteArguments, workspace: string): ToolWork {
  const opened = openToWrite(workspace, path, mode);
  if (!opened.ok) return refusedWork(errorOfPath(opened), { path: { ...opened.path } });
  const { fd } = opened;
  const facts = { started: true, path: { ...opened.path } };
  try {
    const bytes = Buffer.byteLength(content);
    const size = (mode === "append" ? fstatSync(fd).size : 0) + bytes;
    const problem = tooLarge(path, size);
    if (problem !== null) return refusedWork(problem, facts);
    writeFileSync(fd, content);
    const words = `${mode === "append" ? "added" : "wrote"} ${bytes} bytes to ${shownText(path)}`;
    return { ...facts, result: { bytes, size }, observation: plainObservation(words) };
  } catch (error) {
    return refusedWork(errorOfPath(failedPath(path, errno(error))), facts);
  } finally {
    closeSync(fd);
  }
}

function openToWrite(
  workspace: string,
  path: string,
  mode: WriteArguments["mode"],
): OpenedInside | PathRefusal {
  if (mode !== "create") {
    const opened = openInside(workspace, path, mode);
    if (opened.ok || opened.reason !== "not_found") return opened;
  }
  return makeFolders(workspace, path) ?? openInside(workspace, path, "create");
}

/** Creates the folders of a path one by one: the parent of each was found to be in the workspace. */
function makeFolders(workspace: string, path: string): PathRefusal | null {
  let real = workspace;
  let folder = "";
  for (const name of posix.dirname(path).split("/")) {
    folder = posix.join(folder, name);
    let found = locateInside(workspace, folder, "folder");
    if (!found.ok && found.reason === "not_found") {
      try {
        mkdirSync(join(real, name));
      } catch (error) {
        return failedPath(path, errno(error));
      }
      found = locateInside(workspace, folder, "folder");
    }
    if (!found.ok) return { ...found, path: { ...found.path, requested: path } };
    real = found.real;
  }
  return null;
}

function tooLarge(path: string, bytes: number): AgentError | null {
  if (bytes <= maxBytes) return null;
  return {
    code: "FileTooLarge",
    message: `${shownText(path)} would have ${bytes} bytes, more than ${maxBytes}`,
  };
}

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
