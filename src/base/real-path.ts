import { realpathSync } from "node:fs";

/** Where a path leads; itself where there is nothing, so that using it fails as it would anywhere. */
export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
