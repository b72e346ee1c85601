import { isMap } from "../../shared/json/json-values.ts";
import { parseLocatedYaml, type YamlFault } from "../../shared/json/located-yaml.ts";
import type { SkillFolder } from "./skill-folder.ts";

/** `meta.yml`: what it says fills gaps of a manifest and overrides nothing. */
export interface Sidecar {
  description: string | null;
  summary: string | null;
  triggers: string[];
  notFor: string[];
  /** The prompt it describes: the file it names, else the folder's only Markdown or text file. */
  prompt: string | null;
  /** Whether `prompt` was named. */
  isPromptNamed: boolean;
  /** Why it could not be read. */
  fault: YamlFault | null;
}

const sidecarName = "meta.yml";
const longestSidecar = 64 * 1024;

/** Reads the `meta.yml` of a folder; null where there is none. */
export async function readSidecar(folder: SkillFolder): Promise<Sidecar | null> {
  if (!folder.has(sidecarName)) return null;
  const read = folder.text(sidecarName);
  if (!read.ok) return unreadable(read.problem);
  if (read.text.length > longestSidecar) return unreadable("longer than 64 KiB");
  const yaml = await parseLocatedYaml(read.text, { scalars: "strings", depth: 8, aliases: 0 });
  if (!yaml.ok) return { ...nothing, fault: yaml.fault };
  const fields = isMap(yaml.value) ? yaml.value : {};
  const named = filled(fields.prompt);
  return {
    description: filled(fields.description),
    summary: filled(fields.summary),
    triggers: texts(fields.triggers),
    notFor: texts(fields.not_for),
    prompt: named ?? onlyText(folder),
    isPromptNamed: named !== null,
    fault: null,
  };
}

const nothing = {
  description: null,
  summary: null,
  triggers: [],
  notFor: [],
  prompt: null,
  isPromptNamed: false,
};

function unreadable(problem: string): Sidecar {
  return { ...nothing, fault: { kind: "syntax", line: 1, column: 1, problem } };
}

function onlyText(folder: SkillFolder): string | null {
  const candidates = folder.names().filter((name) => /\.(?:md|txt)$/.test(name) && folder.has(name));
  return candidates.length === 1 ? (candidates[0] as string) : null;
}

function filled(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? value : typeof value === "string" ? value.split(";") : [];
  return list.flatMap((item) => filled(item) ?? []);
}
