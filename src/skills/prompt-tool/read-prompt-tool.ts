import { join } from "node:path";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import { PromptToolManifest, promptToolVersion } from "../../contract/prompt-tool-manifest.ts";
import type { Instructions, SkillTool } from "../../contract/skill.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { countValues, isMap } from "../../shared/json/json-values.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { JsonFile } from "../folder/json-file.ts";
import type { Sidecar } from "../folder/sidecar.ts";
import { defaultControls, type SkillFacts } from "../folder/skill-facts.ts";
import type { SkillFolder } from "../folder/skill-folder.ts";
import {
  checkAgreement,
  checkManifest,
  checkParameters,
  isFreeKey,
  salvageManifest,
} from "./check-manifest.ts";
import { findPrompt } from "./find-prompt.ts";
import { withoutOldSpellings } from "./old-spellings.ts";

interface PromptToolFiles {
  /** Null where it is a prompt alone. */
  manifest: JsonFile | null;
  sidecar: Sidecar | null;
}

/** What the files of a prompt with tools say; null where the skill cannot be loaded. */
export async function readPromptTool(
  folder: SkillFolder,
  files: PromptToolFiles,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  const facts = await readFacts(folder, files, diagnostics);
  return diagnostics.hasErrors() ? null : facts;
}

/** The same, also where something else is an error; null where the manifest itself cannot be understood. */
export async function readFacts(
  folder: SkillFolder,
  { manifest, sidecar }: PromptToolFiles,
  diagnostics: Diagnostics,
): Promise<SkillFacts | null> {
  if (manifest === null) return readPromptAlone(folder, sidecar, diagnostics);
  if (countValues(manifest.value, maxValues) > maxValues) {
    diagnostics.add("AHM02", manifest.locate([]), `$: contains more than ${maxValues} values`, {
      hint: "shorten it",
    });
    return null;
  }
  const value = withoutOldSpellings(manifest, diagnostics);
  const { schema_version: version, entry, tools } = value;
  if (version !== promptToolVersion) {
    const location = manifest.locate(["schema_version"]);
    diagnostics.add(
      "AHM01",
      location,
      `schema_version "${shownText(typeof version === "string" ? version : (JSON.stringify(version) ?? ""))}" is not supported`,
    );
    return null; // another version has other rules
  }
  const checked = checkManifest(value, manifest, diagnostics) ?? salvageManifest(value);
  await checkParameters(tools, manifest, diagnostics);
  const instructions = findPrompt(folder, { entry, manifest, sidecar }, diagnostics);
  checkAgreement(value, folder, manifest, diagnostics);
  if (checked === null) return null;
  return manifestFacts(checked, value, join(folder.dir, manifest.file), instructions);
}

/** Far more than anybody writes; reporting a problem with each would take minutes. */
const maxValues = 20_000;

/** A folder with a prompt and no manifest: its name is the id, and what `meta.yml` says of it is added by the caller. */
function readPromptAlone(folder: SkillFolder, sidecar: Sidecar | null, diagnostics: Diagnostics): SkillFacts {
  const { name } = folder;
  const checked = PromptToolManifest.shape.meta.shape.id.safeParse(name);
  if (!checked.success)
    diagnostics.add(
      "AHM03",
      { file: "." },
      `meta.id "${shownText(name)}": the folder name is the id: ${checked.error.issues[0]?.message}`,
      // Enough to test its triggers, which is all that a run does with it.
      {
        severity: diagnostics.isStrict ? "error" : "warning",
        hint: "rename the folder, or add a skill.json with a meta.id",
      },
    );
  return {
    id: name,
    aliases: [],
    name,
    version: "0.0.0",
    description: "",
    tags: [],
    intents: [],
    triggers: [],
    notFor: [],
    examples: [],
    manifest: null,
    instructions: findPrompt(folder, { entry: undefined, manifest: null, sidecar }, diagnostics),
    tools: [],
    adapter: null,
    controls: defaultControls,
    output: null,
    extra: {},
  };
}

/** What a manifest says, in the words of the model that all kinds of skill share. */
function manifestFacts(
  { meta, routing, delivery, capabilities, output, tools }: PromptToolManifest,
  value: Readonly<Record<string, unknown>>,
  file: string,
  instructions: Instructions | null,
): SkillFacts {
  return {
    id: meta.id,
    aliases: [],
    name: meta.name,
    version: meta.version,
    description: meta.description,
    tags: routing.tags,
    intents: routing.intents,
    triggers: routing.triggers,
    notFor: textsIn(value[notForKey]),
    examples: routing.examples.map(exampleText),
    manifest: file,
    instructions,
    tools: tools.map(toSkillTool),
    adapter: null,
    controls: {
      ...defaultControls,
      enabled: meta.enabled,
      priority: meta.priority,
      group: meta.group ?? null,
      // `*` is every host, which the model says by naming none.
      hosts: routing.hosts.includes("*") ? [] : routing.hosts,
    },
    output: output ?? null,
    extra: {
      ...given({ delivery, capabilities }),
      ...Object.fromEntries(Object.entries(value).filter(([key]) => isFreeKey(key) && key !== notForKey)),
    } as JsonObject,
  };
}

const notForKey = "x-not_for";

function toSkillTool(tool: PromptToolManifest["tools"][number]): SkillTool {
  const { name, description, parameters, hints } =
    typeof tool === "string" ? { ...nameless, name: tool } : tool;
  return {
    name,
    description,
    parameters: (parameters ?? null) as SkillTool["parameters"],
    script: `scripts/${name}.py`,
    ...(isMap(hints) && { hints: hints as JsonObject }),
  };
}

const nameless = { description: "", parameters: undefined, hints: undefined };

function exampleText(example: PromptToolManifest["routing"]["examples"][number]): string {
  if (typeof example === "string") return example;
  return String("user" in example ? example.user : example.input);
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function given(members: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
