import { diagnosticRules } from "../../contract/diagnostic-rules.ts";
import type { Diagnostics } from "../../contract/diagnostics.ts";
import type { DescribedSkill } from "../../contract/skill.ts";
import { readJsonFile } from "../../skills/folder/json-file.ts";
import type { SkillFolder } from "../../skills/folder/skill-folder.ts";
import { declaredModules } from "../../skills/python/declared-modules.ts";
import { checkLeanTool, checkToolNames } from "./check-declared-tools.ts";
import { checkScript } from "./check-script.ts";
import { checkToolParameters } from "./check-tool-parameters.ts";
import { type DeclaredTool, declaredTools, type ToolFinding } from "./declared-tools.ts";
import { findToolFunction, unreadScript } from "./find-tool-function.ts";
import { neededScripts, orphansAmong } from "./needed-scripts.ts";
import { promptToolFacts } from "./prompt-tool-facts.ts";
import { type ScriptReading, scriptsFolder, ToolScripts } from "./tool-scripts.ts";

/** Whether the tools that a manifest declares can be called, and whether their scripts are what a model can rely on. */
export async function examineTools(
  skill: DescribedSkill | null,
  folder: SkillFolder,
  diagnostics: Diagnostics,
): Promise<void> {
  const facts = await promptToolFacts(skill, folder, diagnostics);
  if (facts === null) return;
  const manifest = readJsonFile(folder, folder.manifestName);
  const tools = declaredTools(facts.tools, manifest.ok ? manifest.json.value : null, diagnostics.list());
  const locate = manifest.ok ? manifest.json.locate : () => ({ file: folder.manifestName });
  const findings: ToolFinding[] = [];
  for await (const finding of findProblems(tools, declaredModules(facts), folder)) findings.push(finding);
  // Locating each takes time, and these have to be fixed first anyway.
  for (const { code, at, message, hint, severity } of diagnostics.takeFirst(
    errorsFirst(findings),
    maxFindings,
  ))
    diagnostics.add(code, "steps" in at ? locate(at.steps) : at, message, { hint, severity });
}

const maxFindings = 200;

function errorsFirst(findings: readonly ToolFinding[]): ToolFinding[] {
  const isError = ({ code, severity }: ToolFinding) => (severity ?? diagnosticRules[code].strict) === "error";
  return [...findings.filter(isError), ...findings.filter((finding) => !isError(finding))];
}

async function* findProblems(
  tools: readonly DeclaredTool[],
  modules: readonly string[],
  folder: SkillFolder,
): AsyncGenerator<ToolFinding> {
  const scripts = new ToolScripts(folder);
  const spare = spareScripts(tools, folder);
  const sound = yield* checkToolNames(tools);
  for (const tool of sound) yield* checkTool(tool, await scripts.read(tool.script), spare);
  for (const [file, tool] of await neededScripts(sound, scripts, { withDormant: false })) {
    const reading = await scripts.read(file);
    if (reading.state === "read") yield* checkScript(file, reading.module, scripts, modules);
    else if (!sound.some(({ script }) => script === file)) yield* unreadScript(tool, file, reading);
  }
  for (const file of await orphansAmong(spare, sound, scripts))
    yield { code: "PTS06", at: { file }, message: `${file}: not declared, not imported` };
}

function* checkTool(
  tool: DeclaredTool,
  reading: ScriptReading,
  spare: readonly string[],
): Generator<ToolFinding> {
  yield* checkLeanTool(tool);
  const found = yield* findToolFunction(tool, reading, spare);
  if (found !== null && reading.state === "read" && tool.parameters !== null)
    yield* checkToolParameters(tool, tool.parameters, found, reading.module);
}

/** The scripts that are not named after a tool. */
function spareScripts(tools: readonly DeclaredTool[], folder: SkillFolder): string[] {
  const taken = new Set(tools.map(({ script }) => script));
  return folder
    .names(scriptsFolder)
    .filter((name) => name.endsWith(".py") && name !== "__init__.py")
    .map((name) => `${scriptsFolder}/${name}`)
    .filter((file) => !taken.has(file) && folder.has(file));
}
