import type { Diagnostics } from "../../contract/diagnostics.ts";
import { PromptToolManifest } from "../../contract/prompt-tool-manifest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";

/** Reports where a manifest that is well formed does not agree with its folder, or with itself. */
export function checkAgreement(
  value: Readonly<Record<string, unknown>>,
  folder: SkillFolder,
  manifest: JsonFile,
  diagnostics: Diagnostics,
): void {
  const id = member(value.meta, "id");
  if (typeof id === "string" && id !== folder.name && isId(id))
    diagnostics.add(
      "AHM06",
      manifest.placeOf(["meta", "id"]),
      `$.meta.id: "${shownText(id)}" does not match folder "${shownText(folder.name)}"`,
      { hint: "rename one of them" },
    );
  const hosts = member(value.routing, "hosts");
  if (Array.isArray(hosts) && hosts.includes("*") && new Set(hosts).size > 1)
    diagnostics.add(
      "AHM06",
      manifest.placeOf(["routing", "hosts"]),
      "$.routing.hosts: mixes * (every host) with names",
      { hint: "keep only *, or only the names" },
    );
}

/** An invalid one was already reported. */
function isId(text: string): boolean {
  return PromptToolManifest.shape.meta.shape.id.safeParse(text).success;
}

function member(owner: unknown, key: string): unknown {
  return (owner as Record<string, unknown> | null | undefined)?.[key];
}
