import type { AuditRule } from "./rule.ts";

/** Links that lead out of the folder, and files that are more than files. */
export const linkOrMode: AuditRule = {
  id: "AUD181",
  name: "link-or-mode",
  severity: "high",
  message: "an entry of the folder is more than a file of its own",
  help: "Put a copy in place of the link, and delete what is no plain file.",
  *find({ files, specials }) {
    for (const { path, what, target, leaves } of specials) {
      if (what !== "link")
        yield {
          file: path,
          line: null,
          evidence: path,
          message: `there is a ${what}, which is no file to read`,
        };
      else if (leaves) {
        const evidence = `${path} -> ${target}`;
        // Every virtual environment of Python has it.
        const isInterpreter = /(?:^|\/)\.?venv\/bin\/python[\d.]*$/.test(path);
        yield {
          file: path,
          line: null,
          evidence,
          message: "a link leads out of the skill's folder",
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
          message: "whoever runs this file gets the rights of its owner",
        };
  },
};
