import { commandClasses, type UnknownClass, unknownClasses } from "../../contract/agent-origin.ts";
import { type CallableTool, foreignPrefix } from "../../contract/agent-tools.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { mapCommands } from "./map-commands.ts";
import { type MappedCall, mapReading } from "./mapped-call.ts";
import { listIn, mapIn, textIn } from "./read-values.ts";
import type { SkillLocator } from "./skill-locator.ts";
import type { ToolMap } from "./tool-map.ts";
import type { TraceCall } from "./trace.ts";

export interface Mapping {
  /** At least one: a command line may read one file and run another. */
  mapped: readonly MappedCall[];
  /** What the call may have done besides. */
  hides: readonly UnknownClass[];
  /** Whether it may be something else altogether. */
  isDoubtful?: boolean;
}

/** What a call is called that has no name. */
const unnamedTool = "";

const bodyClasses: readonly UnknownClass[] = ["select_skills", "load_resource"];

export function mapToolCall(
  { tool, arguments: given }: Pick<TraceCall, "tool" | "arguments">,
  locator: SkillLocator,
  tools: ToolMap,
): Mapping {
  const name = tool.toLowerCase();
  const args = given ?? {};
  const own = ownCall(name, args, locator);
  if (own !== null) return { mapped: [own], hides: [] };
  const meaning = Object.hasOwn(tools, name) ? tools[name] : undefined;
  switch (meaning) {
    case undefined:
      // A tool of any name may do anything but choose a skill in a way that nobody sees.
      return {
        mapped: [foreignCall(tool, args)],
        hides: tool === unnamedTool ? unknownClasses : commandClasses,
        isDoubtful: tool === unnamedTool,
      };
    case "skill": {
      const skill = findText(args, skillKeys);
      if (skill !== null) return { mapped: [{ kind: "select", skills: [namedSkill(skill)] }], hides: [] };
      return { mapped: [foreignCall(tool, args)], hides: bodyClasses, isDoubtful: true };
    }
    case "agent":
    case "nothing":
      return { mapped: [foreignCall(tool, args)], hides: [] };
    case "shell": {
      const { mapped, isWhole, isEmpty, mentionsSkills } = mapCommands(args, locator);
      const [first = foreignCall(tool, args), ...rest] = mapped;
      if (isWhole) return { mapped: [first, ...rest], hides: [] };
      return {
        mapped: [
          ...mapped.filter(isAboutSkill),
          foreignCall(tool, args),
          ...mapped.filter((one) => !isAboutSkill(one)),
        ],
        hides: mentionsSkills || isEmpty ? ["select_skills", ...commandClasses] : commandClasses,
        isDoubtful: isEmpty,
      };
    }
    case "patch":
      return { mapped: patchedFiles(args), hides: [] };
    case "read_file": {
      const path = findText(args, pathKeys);
      const file = path === null ? null : locator.locate(path);
      if (file !== null) return { mapped: [mapReading(file)], hides: [] };
      if (path !== null && locator.mayBeOfSkill(path))
        return { mapped: [plainCall(meaning, args)], hides: bodyClasses, isDoubtful: true };
      if (path === null) return { mapped: [plainCall(meaning, args)], hides: bodyClasses, isDoubtful: true };
      return { mapped: [plainCall(meaning, args)], hides: [] };
    }
    default:
      return { mapped: [plainCall(meaning, args)], hides: [] };
  }
}

function plainCall(tool: CallableTool, args: JsonObject): MappedCall {
  return { kind: "tool", tool, arguments: args };
}

function foreignCall(tool: string, args: JsonObject): MappedCall {
  return { kind: "tool", tool: `${foreignPrefix}${tool || "unnamed"}`, arguments: args };
}

function isAboutSkill({ kind }: MappedCall): boolean {
  return kind !== "tool";
}

/** Whether a call reads a file and names it. */
export function namesReadFile({ tool, arguments: given }: TraceCall, tools: ToolMap): boolean {
  const name = tool.toLowerCase();
  const isReader = Object.hasOwn(tools, name) && tools[name] === "read_file";
  return isReader && given !== null && findText(given, pathKeys) !== null;
}

const skillKeys = ["skill", "command", "skill_name", "name"] as const;
const pathKeys = ["file_path", "path", "absolute_path", "target_file", "filename"] as const;

/** The actions of our own agent, which others may offer as tools. */
function ownCall(name: string, args: JsonObject, locator: SkillLocator): MappedCall | null {
  if (name === "select_skills") {
    const skills = listIn(args.skills).flatMap((skill) => textIn(skill) ?? textIn(mapIn(skill).name) ?? []);
    return skills.length === 0 ? null : { kind: "select", skills: skills.map(namedSkill) };
  }
  if (name !== "load_resource" && name !== "run_script") return null;
  const skill = textIn(args.skill) ?? textIn(mapIn(args.skill).name);
  const path = textIn(args.relative_path);
  if (skill === null || path === null) return null;
  const file = locator.locate(`skill:${skill}/${path}`) ?? { skill, path, inferred: false };
  if (name === "run_script")
    return { kind: "script", file, args: listIn(args.args).map((arg) => textIn(arg) ?? JSON.stringify(arg)) };
  const section = textIn(args.section_hint);
  return { kind: "resource", file, ...(section === null ? {} : { section }) };
}

/** A plugin prefixes the name of its skill: `office:pdf`. */
function namedSkill(text: string): { name: string; sourceHint: string | null } {
  const plain = text.replace(/^\//, "");
  const colon = plain.lastIndexOf(":");
  return colon === -1 || colon === plain.length - 1
    ? { name: plain, sourceHint: null }
    : { name: plain.slice(colon + 1), sourceHint: plain.slice(0, colon) };
}

/** The files that a patch names: `*** Delete File: a`, `+++ b/a`. */
function patchedFiles(args: JsonObject): MappedCall[] {
  const text = Object.values(args)
    .filter((value) => typeof value === "string")
    .join("\n");
  const found: MappedCall[] = [];
  for (const [, verb, path = ""] of text.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm))
    found.push(plainCall(verb === "Delete" ? "delete_file" : "write_file", { path: path.trim() }));
  return found.length === 0 ? [plainCall("write_file", args)] : found;
}

function findText(args: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textIn(args[key]);
    if (text !== null) return text;
  }
  return null;
}
