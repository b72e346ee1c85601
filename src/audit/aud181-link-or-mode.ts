import type { AuditRule } from "./rule.ts";

/** Links that lead out of the folder, and files that are more than files. */
export const linkOrMode: AuditRule = {
  id: "AUD181",
  name: "link-or-mode",
  severity: "high",
  message: "the folder contains something other than regular files",
  help: "Replace the symlink with a copy, and delete what is not a regular file.",
  *find({ files, specials }) {
    for (const { path, what, target, leaves } of specials) {
      if (what !== "link")
        yield {
          file: path,
          line: null,
          evidence: path,
          message: `contains a ${what}`,
        };
      else if (leaves) {
        const evidence = `${path} -> ${target}`;
        // Every virtual environment of Python has it.
        const isInterpreter = /(?:^|\/)\.?venv\/bin\/python[\d.]*$/.test(path);
        yield {
          file: path,
          line: null,
          evidence,
          message: "a symlink points outside the skill folder",
          ...(isInterpreter && { severity: "low" }),
        };
      }
    }
    for (const { path, mode } of files)
      if ((mode & 0o6000) !== 0)
        yield {
          file: path,
          line: null,
          evidence: `${path} has mode ${(mode & 0o7777).toString(8)}`,
          message: "this file runs with the permissions of its owner",
        };
  },
};
