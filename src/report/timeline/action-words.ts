import type { EventData } from "../../contract/agent-event.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { grouped } from "../text/format-numbers.ts";

type Recorded = EventData<"action_planned">["action"];

/** What a model wants to do, as a sentence about it: `runs scripts/fill.py --all (pdf-form-filler)`. */
export function actionWords({ type, payload }: Recorded): string {
  switch (type) {
    case "select_skills":
      return `selects ${listOf(payload.skills).map(skillWords).join(", ")}`;
    case "load_resource":
      return `requests ${textOf(payload.relative_path)}${sectionWords(payload.section_hint)} of ${nameOf(payload.skill)}`;
    case "run_script": {
      const args = listOf(payload.args).map((arg) => ` ${shellWord(textOf(arg))}`);
      return `runs ${textOf(payload.relative_path)}${args.join("")} of ${nameOf(payload.skill)}`;
    }
    case "call_tool":
      return toolWords(textOf(payload.tool), isMap(payload.arguments) ? payload.arguments : {});
    case "final_answer":
      return "answers";
    default:
      return `${type} ${briefJson(payload)}`;
  }
}

/** A text of a log, or what stands in its place where it was too long or too private. */
export function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isMap(value)) return "?";
  if (typeof value.ref === "string") return `‹${value.ref}›`;
  return typeof value.chars === "number" ? `‹${grouped(value.chars)} characters›` : "?";
}

function toolWords(tool: string, args: Record<string, unknown>): string {
  // Other agents call it otherwise.
  const path = textOf(args.path ?? args.file_path ?? args.pattern);
  switch (tool) {
    case "read_file":
      return `reads ${path}`;
    case "list_dir":
      return `lists ${path}`;
    case "grep":
      return `searches ${path} for ${textOf(args.pattern)}`;
    case "write_file":
      return `writes ${path} (${textOf(args.mode ?? "create")}, ${sizeOf(args.content)})`;
    case "delete_file":
      return `deletes ${path}`;
    case "network_request":
      return `requests ${textOf(args.method ?? "GET")} ${textOf(args.url)}`;
    default:
      return `calls ${tool} ${briefJson(args)}`;
  }
}

function skillWords(skill: unknown): string {
  const source = isMap(skill) && typeof skill.source === "string" ? ` (${skill.source})` : "";
  return `${nameOf(skill)}${source}`;
}

function nameOf(skill: unknown): string {
  return isMap(skill) ? textOf(skill.name) : "?";
}

function sectionWords(hint: unknown): string {
  return hint === undefined ? "" : ` § ${textOf(hint).replace(/^#{1,6} */, "")}`;
}

function sizeOf(content: unknown): string {
  return typeof content === "string" ? `${grouped(content.length)} characters` : textOf(content);
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function shellWord(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}

function briefJson(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "", 300);
}
