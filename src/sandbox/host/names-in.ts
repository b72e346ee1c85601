import { readdirSync } from "node:fs";

/** The names in a folder; none where there is no such folder, or none that we may read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
