import type { Diagnostics } from "../../contract/diagnostics.ts";
import { kindOfValue } from "../../shared/json/json-values.ts";
import { shownText, visibleText } from "../../shared/text/visible-text.ts";
import type { AgentSkillFields } from "./read-fields.ts";

const longest = 64;
const strictName = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const lenientName = /^[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)*$/u;

/** The name of a skill, which is its id; null if it has no usable name. */
export function readName(
  source: AgentSkillFields,
  folderName: string,
  diagnostics: Diagnostics,
): string | null {
  const { fields, locate } = source;
  const written = fields.name;
  const { isStrict } = diagnostics;
  const name = typeof written !== "string" ? "" : isStrict ? written : written.trim().normalize("NFKC");
  const location = locate(["name"]);
  const shown = shownText(name, 100);
  const refusal = findRefusal(written, name);
  if (refusal !== null) {
    const hint = written === undefined && isName(folderName) ? `add name: ${folderName}` : undefined;
    diagnostics.add("SKM04", location, `name "${shown}": ${refusal}`, { severity: "error", hint });
    return null;
  }
  const reasons = findBreaches(name, isStrict);
  if (reasons.length > 0)
    diagnostics.add("SKM04", location, `name "${shown}": ${reasons.join(", ")}`, { hint: spelling(name) });
  if (name !== (isStrict ? folderName : folderName.normalize("NFKC")))
    diagnostics.add("SKM05", location, `name "${shown}" does not match folder "${visibleText(folderName)}"`, {
      hint: agreement(name, folderName),
    });
  return name;
}

/** Whether the specification allows a text as a name. */
export function isName(text: string): boolean {
  return text.length <= longest && strictName.test(text);
}

/** The same words as a name may spell them. */
function spelling(name: string): string | undefined {
  const words =
    name
      .normalize("NFKC")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  const near = words.join("-");
  return isName(near) ? `write name: ${near}` : undefined;
}

function agreement(name: string, folderName: string): string | undefined {
  if (!isName(folderName)) return isName(name) ? `rename the folder to ${name}` : undefined;
  return `write name: ${folderName}${isName(name) ? ", or rename the folder" : ""}`;
}

/** Why a text cannot be a name: no folder could be called that. */
function findRefusal(written: unknown, name: string): string | null {
  if (written === undefined) return "missing";
  if (typeof written !== "string") return `it is ${kindOfValue(written)}`;
  if (name.trim() === "") return "empty";
  if (/[/\\]/.test(name)) return "a path separator";
  if (/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(name)) return "a control character";
  return /^\.+$/.test(name) ? "only dots" : null;
}

function findBreaches(name: string, isStrict: boolean): string[] {
  const reasons: string[] = [];
  const length = [...name].length;
  if (length > longest) reasons.push(`${length} characters, limit ${longest}`);
  if ((isStrict ? strictName : lenientName).test(name) && name === name.toLowerCase()) return reasons;
  if (name !== name.toLowerCase()) reasons.push("upper-case letters");
  if (/^-|-$/.test(name)) reasons.push("starts or ends with -");
  if (name.includes("--")) reasons.push("contains --");
  const others = isStrict ? /[^a-zA-Z0-9-]/ : /[^\p{L}\p{N}-]/u;
  if (others.test(name))
    reasons.push(
      isStrict ? "characters other than a-z, 0-9 and -" : "characters other than letters, digits and -",
    );
  return reasons;
}
