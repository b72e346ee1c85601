import { isDeepStrictEqual } from "node:util";
import type { FixableFrontmatter } from "./frontmatter-of.ts";
import { rawFrontmatter } from "./raw-frontmatter.ts";
import { writtenFields } from "./written-fields.ts";

/** Whether a fixed text says all that it said before, apart from the fields that were to change; undefined stands for one that is gone. */
export async function keepsFields(
  { fields }: Pick<FixableFrontmatter, "fields">,
  fixed: string,
  changed: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const raw = rawFrontmatter(fixed);
  const now = raw === null ? null : await writtenFields(raw.block);
  if (now === null) return false;
  const wanted = new Map<string, unknown>(fields.map(({ key, value }) => [key, value]));
  for (const [key, value] of Object.entries(changed)) {
    if (value === undefined) wanted.delete(key);
    else wanted.set(key, value);
  }
  return isDeepStrictEqual(new Map(now.map(({ key, value }) => [key, value])), wanted);
}
