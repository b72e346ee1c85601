import { readInside } from "../../shared/files/guarded-file.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { truncationTag } from "../../shared/text/truncation-tag.ts";
import { notText } from "../loader/load-resource.ts";
import { textOf } from "../loader/text-of.ts";
import { excerptOf } from "../loader/truncate.ts";
import { type ToolPlace, toolPathAudit } from "./resolve-tool-path.ts";
import {
  absentReading,
  failedReading,
  type Hiding,
  hidesFromTool,
  refusedReading,
  type ToolReading,
} from "./tool-reading.ts";

/** The tool `read_file`: the beginning of a text file. */
export function readFileTool(place: ToolPlace, hiding: Hiding): ToolReading {
  const read = readInside(place.base, place.path, largestFile);
  if (hidesFromTool(place, hiding, read.path)) return absentReading(place);
  if (!read.ok) return refusedReading(place, read);
  const { bytes, path } = read;
  const whole = textOf(bytes);
  if (whole === null) return failedReading(place, notText(place.path), path);
  const { text, truncated, chars } = excerptOf(whole);
  const cut = truncated ? `\n${truncationTag} ${text.length} of ${chars} characters are shown` : "";
  return {
    ok: true,
    text: `${text}${cut}`,
    whole: truncated ? bytes : undefined,
    facts: { bytes: bytes.length, sha256: sha256(bytes), chars_returned: text.length, truncated },
    path: toolPathAudit(place, path),
  };
}

const largestFile = 1_000_000;
