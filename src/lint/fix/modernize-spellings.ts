import { Diagnostics } from "../../contract/diagnostics.ts";
import { isMap } from "../../shared/json/is-map.ts";
import { memberInJson } from "../../shared/json/position-in-json.ts";
import { renamed, withoutOldSpellings } from "../../skills/prompt-tool/old-spellings.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { manifestOf } from "./manifest-of.ts";
import { applyEdits, type TextEdit } from "./text-edit.ts";

/** Writes a manifest as it is spelt today: keys by their names, lists as lists. */
export async function modernizeSpellings(folder: FixedFolder): Promise<Proposal | null> {
  const found = await manifestOf(folder, "prompt-tool");
  if (found === null || !isMap(found.manifest.value)) return null;
  const { manifest, text, whole } = found;
  const today = withoutOldSpellings(manifest, new Diagnostics("strict", folder.name));
  const edits = [...renamings(found.manifest.value, text), ...listings(found.manifest.value, today, text)];
  if (edits.length === 0) return null;
  return { file: manifest.file, text: whole(applyEdits(text, edits)) };
}

/** Where both spellings stand, they may say different things. */
function renamings(value: Record<string, unknown>, text: string): TextEdit[] {
  return renamed.flatMap(({ parent, old, today }) => {
    const owner = parent === null ? value : value[parent];
    if (!isMap(owner) || !Object.hasOwn(owner, old) || Object.hasOwn(owner, today)) return [];
    const from = memberInJson(text, parent === null ? [old] : [parent, old])?.begin ?? 0;
    const written = JSON.stringify(old);
    return text.startsWith(written, from)
      ? [{ from, to: from + written.length, insert: JSON.stringify(today) }]
      : [];
  });
}

/** Every text in the place of which a list is read, at the root or one level below. */
function listings(value: Record<string, unknown>, today: Record<string, unknown>, text: string): TextEdit[] {
  const places = Object.entries(value).flatMap(([key, member]) =>
    isMap(member) ? Object.keys(member).map((below) => [key, below]) : [[key]],
  );
  return places.flatMap((steps) => {
    const list = at(today, steps);
    const member = memberInJson(text, steps);
    if (typeof at(value, steps) !== "string" || !Array.isArray(list) || member === null) return [];
    const insert = `[${list.map((item) => JSON.stringify(item)).join(", ")}]`;
    return [{ from: member.value, to: member.end, insert }];
  });
}

function at(value: unknown, steps: readonly string[]): unknown {
  return steps.reduce<unknown>((owner, step) => (isMap(owner) ? owner[step] : undefined), value);
}
