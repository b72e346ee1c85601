import { Diagnostics } from "../../contract/diagnostics.ts";
import { detectKind } from "../../skills/folder/detect-kind.ts";
import type { JsonFile } from "../../skills/folder/json-file.ts";
import type { FixedFolder } from "./fixed-folder.ts";

/** A manifest that can be fixed. */
export interface FixableManifest {
  manifest: JsonFile;
  /** Its text without a byte order mark, which is put back by `whole`. */
  text: string;
  whole: (text: string) => string;
}

/** The manifest of a skill of this kind; null where there is none that can be read. */
export async function manifestOf(
  folder: FixedFolder,
  kind: "unit" | "prompt-tool",
): Promise<FixableManifest | null> {
  const detection = await detectKind(folder, new Diagnostics("strict", folder.name));
  if (detection.kind !== kind || detection.manifest === null) return null;
  const { manifest } = detection;
  const written = folder.whole(manifest.file);
  if (written === null) return null;
  const mark = written.startsWith("\ufeff") ? "\ufeff" : "";
  return { manifest, text: written.slice(mark.length), whole: (text) => mark + text };
}
