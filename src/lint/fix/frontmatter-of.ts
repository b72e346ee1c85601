import type { FixedFolder } from "./fixed-folder.ts";
import { instructionsOf } from "./instructions-of.ts";
import { type RawFrontmatter, rawFrontmatter } from "./raw-frontmatter.ts";
import { type WrittenField, writtenFields } from "./written-fields.ts";

/** The frontmatter of a skill, ready to be edited. */
export interface FixableFrontmatter extends RawFrontmatter {
  file: string;
  fields: readonly WrittenField[];
}

/** The frontmatter of a skill whose YAML is sound; null where there is none. */
export async function frontmatterOf(folder: FixedFolder): Promise<FixableFrontmatter | null> {
  const found = await instructionsOf(folder);
  const raw = found === null ? null : rawFrontmatter(found.text);
  if (found === null || raw === null) return null;
  const fields = await writtenFields(raw.block);
  return fields === null ? null : { ...raw, file: found.file, fields };
}
