import { isMap } from "../../shared/json/is-map.ts";
import { memberInJson } from "../../shared/json/position-in-json.ts";
import type { FixedFolder } from "./fixed-folder.ts";
import type { Proposal } from "./fixer.ts";
import { manifestOf } from "./manifest-of.ts";

/** Gives a `skill.json` that says everything else a version and a name. */
export async function addManifestFields(folder: FixedFolder): Promise<Proposal | null> {
  const found = await manifestOf(folder, "unit");
  if (found === null || !isMap(found.manifest.value)) return null;
  const { value } = found.manifest;
  const { id } = value;
  let { text } = found;
  if (!Object.hasOwn(value, "name") && typeof id === "string") text = withMember(text, "id", "name", id);
  if (!Object.hasOwn(value, "version")) text = withMember(text, anchorIn(text), "version", "0.1.0");
  return text === found.text ? null : { file: found.manifest.file, text: found.whole(text) };
}

function anchorIn(text: string): string {
  const present = ["name", "id", "adapterType", "entrypoint"].find(
    (key) => memberInJson(text, [key]) !== null,
  );
  return present ?? "";
}

/** The text with a member behind another, in its manner. */
function withMember(text: string, behind: string, key: string, value: string): string {
  const anchor = memberInJson(text, [behind]);
  if (anchor === null) return text;
  const lineStart = text.lastIndexOf("\n", anchor.begin) + 1;
  const indent = text.slice(lineStart, anchor.begin);
  const lineEnd = text[lineStart - 2] === "\r" ? "\r\n" : "\n";
  const space = text[anchor.value - 1] === " " ? " " : "";
  const gap = lineStart > 0 && indent.trim() === "" ? lineEnd + indent : space;
  const member = `,${gap}${JSON.stringify(key)}:${space}${JSON.stringify(value)}`;
  return text.slice(0, anchor.end) + member + text.slice(anchor.end);
}
