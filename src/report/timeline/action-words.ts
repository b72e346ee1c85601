import type { EventData } from "../../contract/agent-event.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { shorten } from "../../shared/text/visible-text.ts";
import { grouped } from "../text/format-numbers.ts";
import { formatValue } from "../view/explain-cell.ts";

export type Recorded = EventData<"action_planned">["action"];

/** What a model wants to do, as a sentence about it: `runs scripts/fill.py --all (pdf-form-filler)`. */
export function actionWords({ type, payload }: Recorded): string {
  switch (type) {
    case "select_skills":
      return `selects ${asList(payload.skills).map(skillWords).join(", ")}`;
    case "load_resource":
      return `requests ${loggedText(payload.relative_path)}${sectionWords(payload.section_hint)} of ${skillName(payload.skill)}`;
    case "run_script": {
      const args = asList(payload.args).map((arg) => ` ${shellWord(loggedText(arg))}`);
      return `runs ${loggedText(payload.relative_path)}${args.join("")} of ${skillName(payload.skill)}`;
    }
    case "call_tool":
      return toolWords(loggedText(payload.tool), isMap(payload.arguments) ? payload.arguments : {});
    case "final_answer":
      return "answers";
    default:
      return `${type} ${briefJson(payload)}`;
  }
}

/** The arguments of an action that its sentence leaves out; null where it has them all. */
export function actionText({ type, payload }: Recorded): string | null {
  if (type !== "call_tool") return null;
  const args = isMap(payload.arguments) ? payload.arguments : {};
  switch (payload.tool) {
    case "write_file":
      return typeof args.content === "string" && args.content !== "" ? args.content : null;
    case "network_request": {
      const { method: _, url: __, ...rest } = args;
      return Object.keys(rest).length === 0 ? null : formatValue(rest as JsonObject);
    }
    case "read_file":
    case "list_dir":
    case "grep":
    case "run_command":
    case "delete_file":
      return null;
    default:
      return isBrief(args) ? null : formatValue(args as JsonObject);
  }
}

const maxBrief = 100;

function isBrief(args: unknown): boolean {
  return (JSON.stringify(args) ?? "").length <= maxBrief;
}

/** A text of a log, or its placeholder where it was too long or private. */
export function loggedText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isMap(value)) return "?";
  if (typeof value.ref === "string") return `‹${value.ref}›`;
  return typeof value.chars === "number" ? `‹${grouped(value.chars)} characters›` : "?";
}

function toolWords(tool: string, args: Record<string, unknown>): string {
  // Other agents use another name for it.
  const path = loggedText(args.path ?? args.file_path ?? args.pattern);
  switch (tool) {
    case "read_file":
      return `reads ${path}`;
    case "list_dir":
      return `lists ${path}`;
    case "grep":
      return `searches ${path} for ${loggedText(args.pattern)}`;
    case "run_command":
      return Array.isArray(args.args)
        ? `runs ${[args.command, ...args.args].map((word) => shellWord(loggedText(word))).join(" ")}`
        : `runs in a shell: ${loggedText(args.command)}`;
    case "write_file":
      return `writes ${path} (${loggedText(args.mode ?? "create")}, ${contentSize(args.content)})`;
    case "delete_file":
      return `deletes ${path}`;
    case "network_request":
      return `requests ${loggedText(args.method ?? "GET")} ${loggedText(args.url)}`;
    default:
      return isBrief(args) ? `calls ${tool} ${briefJson(args)}` : `calls ${tool}`;
  }
}

function skillWords(skill: unknown): string {
  const source = isMap(skill) && typeof skill.source === "string" ? ` (${skill.source})` : "";
  return `${skillName(skill)}${source}`;
}

function skillName(skill: unknown): string {
  return isMap(skill) ? loggedText(skill.name) : "?";
}

function sectionWords(hint: unknown): string {
  return hint === undefined ? "" : ` § ${loggedText(hint).replace(/^#{1,6} */, "")}`;
}

function contentSize(content: unknown): string {
  return typeof content === "string" ? `${grouped(content.length)} characters` : loggedText(content);
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function shellWord(arg: string): string {
  return /^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}

function briefJson(value: unknown): string {
  return shorten(JSON.stringify(value) ?? "", 300);
}
