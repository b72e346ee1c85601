import { setImmediate as otherWork } from "node:timers/promises";
import { describingFile } from "../../contract/describing-file.ts";
import { checkTriggering } from "../../levels/trigger/queries/check-triggering.ts";
import { reportBrokenManifest } from "../../lint/prompt-tool/examine-manifest.ts";
import { sharedToolNames } from "../../lint/prompt-tool/shared-tool-names.ts";
import { resolveDuplicates } from "../../skills/discover/resolve-duplicates.ts";
import { readSidecar } from "../../skills/folder/sidecar.ts";
import { SkillFolder } from "../../skills/folder/skill-folder.ts";
import type { ExaminedFolder } from "./examine-folder.ts";

/** Looks at what shows only where skills stand together: their ids, the names of their tools, the siblings of their queries. */
export async function examineTogether(examined: readonly ExaminedFolder[]): Promise<void> {
  const loaded = examined.filter((one): one is Loaded => one.skill !== null);
  tellDuplicates(loaded);
  tellSharedTools(loaded);
  await tellTriggering(loaded);
}

type Loaded = ExaminedFolder & { skill: NonNullable<ExaminedFolder["skill"]> };

function tellDuplicates(loaded: readonly Loaded[]): void {
  const ranked = loaded.map((examined) => {
    const { shown, manifestFile } = examined.found;
    // Of two manifests in one folder the folder's name says nothing.
    const named = manifestFile === undefined ? shown : `${shown}/${manifestFile}`;
    return { examined, id: examined.skill.id, ...examined.found, shown: named };
  });
  for (const { about, code, message } of resolveDuplicates(ranked).findings) {
    const { diagnostics, found, skill } = about.examined;
    diagnostics.add(code, { file: describingFile(skill) }, message);
    reportBrokenManifest(new SkillFolder(found.dir, found.manifestFile), diagnostics);
  }
}

function tellSharedTools(loaded: readonly Loaded[]): void {
  const diagnosticsOf = new Map(loaded.map(({ skill, diagnostics }) => [skill, diagnostics]));
  for (const { skill, place, message, hint } of sharedToolNames(loaded.map((one) => one.skill)))
    diagnosticsOf.get(skill)?.add("PTS05", place, message, { hint });
}

async function tellTriggering(loaded: readonly Loaded[]): Promise<void> {
  const names = loaded.flatMap(({ skill: { id, aliases } }) => [id, ...aliases]);
  const siblings = loaded.length < 2 ? null : new Set(names);
  for (const { found, skill, diagnostics } of loaded) {
    const folder = new SkillFolder(found.dir, found.manifestFile);
    if (!folder.names().includes("eval.yaml")) continue;
    await otherWork(); // a signal has to be heard between two of thousands
    const sidecar = await readSidecar(folder);
    await checkTriggering({ skill, readFile: (path) => folder.text(path), siblings, sidecar }, diagnostics);
  }
}
