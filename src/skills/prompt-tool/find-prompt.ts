import { posix } from "node:path";
import type { DiagnosticPlace, Diagnostics } from "../../contract/diagnostics.ts";
import type { Instructions } from "../../contract/skill.ts";
import { listed } from "../../shared/text/listed.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import { promptCandidates } from "../folder/prompt-candidates.ts";
import type { Sidecar } from "../folder/sidecar.ts";
import { longestPath, type SkillFolder } from "../folder/skill-folder.ts";

/** What may name the prompt. */
export interface PromptSources {
  /** `entry` of the manifest, whatever it is. */
  entry: unknown;
  manifest: JsonFile | null;
  sidecar: Sidecar | null;
}

/** Where the prompt of a skill lies; null where there is none. A file that was named has to be there: nothing else takes its place. */
export function findPrompt(
  folder: SkillFolder,
  { entry, manifest, sidecar }: PromptSources,
  diagnostics: Diagnostics,
): Instructions | null {
  const { system_prompt: system, prompt } = (entry ?? {}) as { system_prompt?: unknown; prompt?: unknown };
  for (const [key, path] of Object.entries({ system_prompt: system, prompt }))
    if (path !== undefined)
      return named(folder, path, manifest?.placeOf(["entry", key]) ?? { file: "." }, diagnostics);
  if (sidecar?.isPromptNamed) {
    const place = { file: "meta.yml", jsonPath: "$.prompt" };
    return named(folder, sidecar.prompt, place, diagnostics, "prompt in meta.yml");
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
  diagnostics.add("AHM04", manifest?.placeOf(["entry"]) ?? { file: "." }, "entry SYSTEM.md: missing", {
    hint: "add it, or set another file in entry.system_prompt",
  });
  return null;
}

function named(
  folder: SkillFolder,
  written: unknown,
  place: DiagnosticPlace,
  diagnostics: Diagnostics,
  key = "entry.system_prompt",
): Instructions | null {
  if (typeof written !== "string" || written === "") return null; // reported with the shape of the manifest
  const path = written.length > longestPath ? written : posix.normalize(written);
  const problem = problemOf(folder, path);
  if (problem === null) return instructionsAt(path);
  const hint = hints[problem] ?? "put a .md, .txt or .docx file there";
  diagnostics.add("AHM04", place, `entry ${shownText(written)}: ${problem}`, {
    hint: `${hint}, or fix ${key}`,
  });
  return null;
}

const hints: Readonly<Record<string, string>> = {
  missing: "add the file",
  outside: "copy the file into the skill folder",
};

function problemOf(folder: SkillFolder, path: string): string | null {
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
