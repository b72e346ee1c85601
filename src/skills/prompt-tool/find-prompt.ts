import { posix } from "node:path";
import type { DiagnosticLocation, Diagnostics } from "../../contract/diagnostics.ts";
import type { Instructions } from "../../contract/skill.ts";
import { listed } from "../../shared/text/phrases.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import type { Sidecar } from "../folder/sidecar.ts";
import { promptCandidates } from "../folder/skill-files.ts";
import { longestPath, readOnce, type SkillFolder } from "../folder/skill-folder.ts";
import type { DocxReading } from "./read-docx.ts";

/** What may name the prompt. */
interface PromptSources {
  /** `entry` of the manifest, whatever it is. */
  entry: unknown;
  manifest: JsonFile | null;
  sidecar: Sidecar | null;
}

/** Where the prompt of a skill lies; null where there is none. A file that was named has to exist: nothing else replaces it. */
export function findPrompt(
  folder: SkillFolder,
  { entry, manifest, sidecar }: PromptSources,
  diagnostics: Diagnostics,
): Instructions | null {
  const { system_prompt: system, prompt } = (entry ?? {}) as { system_prompt?: unknown; prompt?: unknown };
  for (const [key, path] of Object.entries({ system_prompt: system, prompt }))
    if (path !== undefined)
      return named(folder, path, manifest?.locate(["entry", key]) ?? { file: "." }, diagnostics);
  if (sidecar?.isPromptNamed) {
    const location = { file: "meta.yml", jsonPath: "$.prompt" };
    return named(folder, sidecar.prompt, location, diagnostics, "prompt in meta.yml");
  }
  const [first, ...others] = promptCandidates(folder);
  if (first !== undefined) {
    if (others.length > 0)
      diagnostics.add(
        "AHM05",
        { file: first },
        `${first}: used as the prompt, but ${listed(others, 3)} could be it too`,
        {
          hint: `keep one, or set it in ${manifest === null ? "meta.yml as prompt" : "entry.system_prompt"}`,
        },
      );
    return instructionsAt(first);
  }
  if (sidecar?.prompt != null) return instructionsAt(sidecar.prompt);
  diagnostics.add("AHM04", manifest?.locate(["entry"]) ?? { file: "." }, "entry SYSTEM.md: missing", {
    hint: "add it, or set another file in entry.system_prompt",
  });
  return null;
}

function named(
  folder: SkillFolder,
  written: unknown,
  location: DiagnosticLocation,
  diagnostics: Diagnostics,
  key = "entry.system_prompt",
): Instructions | null {
  if (typeof written !== "string" || written === "") return null; // reported with the shape of the manifest
  const path = written.length > longestPath ? written : posix.normalize(written);
  const problem = findProblem(folder, path);
  if (problem === null) return instructionsAt(path);
  const hint = hints[problem] ?? "put a .md, .txt or .docx file there";
  diagnostics.add("AHM04", location, `entry ${shownText(written)}: ${problem}`, {
    hint: `${hint}, or fix ${key}`,
  });
  return null;
}

const hints: Readonly<Record<string, string>> = {
  missing: "add the file",
  outside: "copy the file into the skill folder",
};

function findProblem(folder: SkillFolder, path: string): string | null {
  if (path.length > longestPath) return "missing";
  if (posix.isAbsolute(path) || path === ".." || path.startsWith("../")) return "outside";
  if (!folder.has(path)) {
    const found = folder.bytes(path, 0);
    if (found.ok || found.problem === "too large") return "missing"; // there, but spelt in another case
    return found.problem === "missing" || found.problem === "outside"
      ? found.problem
      : `unsupported (${found.problem})`;
  }
  return instructionsAt(path) === null ? "unsupported" : null;
}

/** The formats a prompt may have, by suffix. */
function instructionsAt(path: string): Instructions | null {
  const format = formats.find((suffix) => path.toLowerCase().endsWith(`.${suffix}`));
  return format === undefined ? null : { path, format };
}

const formats = ["md", "txt", "docx"] as const;

/** The text of a prompt, whatever its format, and what of it was left out. */
export async function readPrompt(folder: SkillFolder, { path, format }: Instructions): Promise<DocxReading> {
  if (format === "docx") return readDocument(folder, path);
  const file = folder.text(path);
  return file.ok ? { ok: true, text: file.text, unread: {} } : file;
}

/** The largest .docx that is read; images make them large, not text. */
const docxCapBytes = 32 * 1024 * 1024;

const readDocument = readOnce<DocxReading>(async (folder, path) => {
  const file = folder.bytes(path, docxCapBytes);
  return file.ok ? (await import("./read-docx.ts")).readDocx(file.bytes) : file;
});
