import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";

/** Says in one line that a prompt with tools cannot be used, and why. It comes last, after whatever can be an error. */
export function examineManifest(
  _skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): void {
  reportBrokenManifest(folder, diagnostics);
}

/** The same for whoever finds an error after the examination, such as an id that stands twice: names only what was not named yet. */
export function reportBrokenManifest(folder: SkillFolder, diagnostics: Diagnostics): void {
  if (diagnostics.kind !== "prompt-tool") return;
  const found = diagnostics.list();
  const named = found.flatMap(({ code, message }) => (code === "PTS01" ? message.split(/[ ,]+/) : []));
  const codes = found
    .filter(
      ({ code, severity }) => severity === "error" && /^(?:AHM|SKD)/.test(code) && !named.includes(code),
    )
    .map(({ code }) => code);
  if (codes.length === 0) return;
  const { manifestName } = folder;
  const file = folder.names().includes(manifestName) ? manifestName : ".";
  diagnostics.add("PTS01", { file }, `manifest: ${[...new Set(codes)].sort().join(", ")}`);
}
