import { resolve } from "node:path";
import { UserError } from "../user-error.ts";
import { isInside, nearPath, realPath } from "./paths.ts";

/**
 * The absolute path of something we write. One in the folder that a command is typed in must not lead out of it by a
 * link: links come with a clone, and nobody typed where they lead.
 */
export function writtenPath(path: string, cwd: string): string {
  const absolute = resolve(cwd, path);
  const real = realPath(absolute);
  if (!isInside(resolve(cwd), absolute) || isInside(realPath(cwd), real)) return absolute;
  throw new UserError("output-unwritable", `${nearPath(absolute, cwd)} is a link that leads out to ${real}`, {
    path: absolute,
    hint: "remove the link, or name the place itself: by an option, or in ~/.eval-skills/config.yaml",
  });
}
