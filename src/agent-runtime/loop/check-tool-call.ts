import type { ActionOf } from "../../contract/agent-action.ts";
import type { AgentSkill } from "../../contract/agent-parts.ts";
import { type CallableTool, toolArguments } from "../../contract/agent-tools.ts";
import type { SkillTool } from "../../contract/skill.ts";
import { splitToolPath } from "../../shared/files/path-guard.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { type CompiledSchema, compileSchema, ValidationOverran } from "../../shared/json/json-schema.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { zodProblem } from "../../shared/json/zod-problem.ts";
import { nearest } from "../../shared/text/nearest.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { type Checked, type GuardFacts, notSelected, refuse } from "./guard-facts.ts";
import { quotedText } from "./quoted-text.ts";

/** Finds the tool that a call names, and checks its arguments against its schema. */
export function checkToolCall(
  { tool, arguments: given }: ActionOf<"call_tool">["payload"],
  facts: GuardFacts,
): Checked {
  const owners = facts.selected.flatMap((skill) => {
    const declared = skill.tools.find(({ name }) => name === tool);
    return declared === undefined ? [] : [{ skill, declared }];
  });
  const isBuiltIn = Object.hasOwn(toolArguments, tool);
  const [owner] = owners;
  if (owners.length + Number(isBuiltIn) > 1)
    return refuse("AmbiguousTool", ambiguousWords(tool, isBuiltIn, owners));
  if (owner !== undefined) return checkSkillTool(owner, given);
  return isBuiltIn
    ? checkBuiltIn(tool as CallableTool, given, facts)
    : refuse("InvalidAction", unknownWords(tool, facts));
}

interface Owner {
  skill: AgentSkill;
  declared: SkillTool;
}

function checkBuiltIn(tool: CallableTool, given: JsonObject, facts: GuardFacts): Checked {
  const read = toolArguments[tool].safeParse(given);
  if (!read.success) {
    const { message } = zodProblem(read.error, given);
    return refuse("InvalidAction", shorten(`the arguments of ${tool} are not valid: ${message}`, 500));
  }
  const params = read.data as JsonObject;
  const name = readingTools.has(tool) ? splitToolPath(params.path as string).skill : null;
  // By its id alone: that is how the tools know the skills that are selected.
  if (name !== null && !facts.selected.some((skill) => skill.name === name)) return notSelected(name);
  return { ok: true, work: { kind: "tool", tool, skill: null, params }, warnings: [] };
}

const readingTools: ReadonlySet<string> = new Set<CallableTool>(["read_file", "list_dir", "grep"]);

function checkSkillTool({ skill, declared }: Owner, given: JsonObject): Checked {
  const problem = argumentsProblem(declared, given);
  if (problem !== null)
    return refuse(
      "InvalidAction",
      shorten(`the arguments of ${declared.name} are not valid: ${problem}`, 500),
    );
  return { ok: true, work: { kind: "tool", tool: declared.name, skill, params: given }, warnings: [] };
}

/** A schema that cannot be compiled is the fault of the skill, and the tools runtime says so. */
function argumentsProblem({ parameters }: SkillTool, given: JsonObject): string | null {
  if (!isMap(parameters)) return null;
  let compiled = compiledSchemas.get(parameters);
  if (compiled === undefined) {
    compiled = compileSchema({ $schema: draft, ...parameters });
    compiledSchemas.set(parameters, compiled);
  }
  if (!compiled.ok) return null;
  try {
    const lines = compiled.violations(given).map(({ pointer, reason }) => `${pointer || "(root)"} ${reason}`);
    return lines.length === 0 ? null : lines.slice(0, 5).join("; ");
  } catch (error) {
    if (!(error instanceof ValidationOverran)) throw error;
    return `they could not be checked: ${error.message}`;
  }
}

const draft = "https://json-schema.org/draft/2020-12/schema";
const compiledSchemas = new WeakMap<object, CompiledSchema>();

function ambiguousWords(tool: string, isBuiltIn: boolean, owners: readonly Owner[]): string {
  const names = owners.map(({ skill }) => `${skill.name} (${skill.source})`);
  return `${tool} is declared by ${[...(isBuiltIn ? ["(built-in)"] : []), ...names].join(", ")}`;
}

function unknownWords(tool: string, { selected }: GuardFacts): string {
  if (tool === "run_script") return "run_script is an action of its own, no tool for call_tool";
  const known = [
    ...Object.keys(toolArguments),
    ...selected.flatMap(({ tools }) => tools.map(({ name }) => name)),
  ];
  const near = nearest(tool, known);
  return `there is no tool ${quotedText(tool, 80)}${near === null ? "" : `; did you mean ${near}?`}`;
}
