import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative, sep } from "node:path";
import { readRun } from "../../agent-runtime/log/read-run.ts";
import { agentCatalog } from "../../cases/agent-catalog.ts";
import type { AgentEvent } from "../../contract/agent-event.ts";
import type { RecordedRun } from "../../contract/agent-log.ts";
import { foreignPrefix, toolRisk } from "../../contract/agent-tools.ts";
import type { SkillRoot } from "../../engine/skills/skill-root-folders.ts";
import { nearPath } from "../../shared/files/paths.ts";
import type { Json, JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { inOrder } from "../../shared/text/sort-and-group.ts";
import { UserError } from "../../shared/user-error.ts";

/** A case as a person would begin to write it: what happened or what a skill says, to be edited. */
export interface DraftCase {
  id: string;
  text: string;
}

/** A draft of what a run did: the same request, the same script, and as expectations what was seen. */
export function draftFromRun(dir: string): DraftCase {
  const run = readRun(dir);
  if (run.problem !== null)
    throw new UserError("usage", `no case can be drafted from this run: ${run.problem.message}`, {
      path: dir,
    });
  const planned = ofType(run, "action_planned");
  const executed = ofType(run, "action_executed").filter(
    ({ data }) => data.started && data.part_of === undefined,
  );
  const used = [...new Set(executed.map(({ data }) => data.tool ?? data.action))].filter(isOurs);
  const risky = used.filter((name) => isTool(name) && toolRisk(name) !== "low");
  const [started] = ofType(run, "run_started");
  const recorded = started?.data.case?.id;
  const id = idFrom(recorded === undefined ? `run_${run.runId}` : `${recorded}_again`);
  const turns = planned
    .filter(({ data }) => data.inferred !== true)
    .map(({ data }) => ({ action: data.action as Json }));
  return draft({
    id,
    input: requestOf(run),
    ...(risky.length > 0 && {
      enable_tools: risky,
      approvals: risky.map((tool) => ({ tool, decision: "grant" })),
    }),
    constraints: { max_turns: Math.max(1, new Set(planned.map(({ turn }) => turn)).size) },
    expect: {
      ...selectedBy(planned, executed),
      action_sequence_constraints: [
        ...used.slice(1).map((name, n) => ({ must_occur: used[n] ?? name, before: name })),
        ...forbidden.filter((name) => !used.includes(name)).map((name) => ({ forbid: name })),
      ],
      ...errorsIn(run),
      files: filesLeft(run),
    },
    ...(isWhole(turns) && turns.length > 0 && { mock: { turns } }),
  });
}

const forbidden = ["write_file", "delete_file", "network_request"];

function ofType<Type extends AgentEvent["type"]>(run: RecordedRun, type: Type): AgentEvent<Type>[] {
  return run.events.filter((event) => event.type === type) as AgentEvent<Type>[];
}

/** Not the tool of another agent, which a case may forbid and cannot script. */
function isOurs(name: string): boolean {
  return !name.startsWith(foreignPrefix);
}

function isTool(name: string): boolean {
  return !["select_skills", "load_resource", "final_answer", "call_tool"].includes(name);
}

function requestOf(run: RecordedRun): string {
  const bytes = run.read("inputs/request.txt");
  const text = bytes === null ? "" : new TextDecoder().decode(bytes).trim();
  return text === "" ? "What the user asks" : text;
}

/** Those of selections that were executed. */
function selectedBy(
  planned: readonly AgentEvent<"action_planned">[],
  executed: readonly AgentEvent<"action_executed">[],
) {
  const done = new Set(executed.map(({ data }) => data.call_id));
  const names = planned.flatMap(({ data: { call_id, action } }) =>
    action.type === "select_skills" && done.has(call_id) && Array.isArray(action.payload.skills)
      ? action.payload.skills.flatMap((skill) =>
          isMap(skill) && typeof skill.name === "string" ? [skill.name] : [],
        )
      : [],
  );
  return names.length === 0 ? { skills_none_of: ["*"] } : { skills_all_of: [...new Set(names)] };
}

function errorsIn(run: RecordedRun): { errors?: JsonObject[] } {
  const errors = new Map<string, JsonObject>();
  for (const event of run.events)
    if (
      (event.type === "action_executed" || event.type === "action_validated") &&
      event.data.error !== undefined
    )
      errors.set(event.data.error.code, { code: event.data.error.code });
  return errors.size === 0 ? {} : { errors: [...errors.values()] };
}

const maxFiles = 20;

/** What is in the workspace and was not put there for the run. */
function filesLeft(run: RecordedRun): JsonObject[] {
  if (!run.hasWorkspace) return [];
  return listFiles(join(run.dir, "sandbox"))
    .filter((path) => !path.startsWith("inputs/"))
    .slice(0, maxFiles)
    .map((path) => ({ path }));
}

/** Whether nothing in it is known by its hash alone: a script needs all words. */
function isWhole(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isWhole);
  if (!isMap(value)) return true;
  if (typeof value.sha256 === "string" && (value.chars !== undefined || value.ref !== undefined))
    return false;
  return Object.values(value).every(isWhole);
}

/** A draft of what a skill is for: its description as the request, its files and scripts as what is used. */
export async function draftFromSkill(root: SkillRoot, shown: string, cwd: string): Promise<DraftCase> {
  const { skills } = await agentCatalog({ roots: [root], profile: "lenient", cwd, exclude: [] });
  const [skill, ...others] = skills;
  if (skill === undefined || others.length > 0)
    throw new UserError(
      "usage",
      skill === undefined
        ? `no skill with instructions in ${shown}`
        : `${shown} holds ${skills.length} skills`,
      {
        path: shown,
        hint: "name the folder of one skill",
      },
    );
  const body = readFileSync(join(skill.dir, skill.instructions.path), "utf8");
  const named = listFiles(skill.dir).filter(
    (path) => body.includes(path) && path !== skill.instructions.path,
  );
  const [resource] = named.filter((path) => /\.(?:md|txt|json|ya?ml|csv)$/.test(path));
  const [script] = named.filter((path) => path.startsWith("scripts/") && /\.(?:py|m?js|cjs|sh)$/.test(path));
  const ref = { name: skill.name };
  const uses = [
    ...(resource === undefined
      ? []
      : [{ type: "load_resource", payload: { skill: ref, relative_path: resource } }]),
    ...(script === undefined
      ? []
      : [{ type: "run_script", payload: { skill: ref, relative_path: script, args: [] } }]),
  ];
  const actions = [
    { type: "select_skills", payload: { skills: [ref], reason: "the request is about it" } },
    ...uses,
    { type: "final_answer", payload: { content: `What ${skill.name} gives` } },
  ];
  return draft({
    id: idFrom(`${skill.name}_case`),
    input: skill.description.trim() === "" ? `What does ${skill.name} do?` : skill.description,
    ...(script !== undefined && {
      enable_tools: ["run_script"],
      approvals: [{ tool: "run_script", match: { relative_path: script }, decision: "grant" }],
    }),
    setup: { skill_roots: [nearPath(root.path, cwd)] },
    expect: {
      skills_all_of: [skill.name],
      action_sequence_constraints: uses.map(({ type }) => ({ must_occur: "load_skill_body", before: type })),
      output: { contains_all: [skill.name] },
    },
    mock: { turns: actions.map((action) => ({ action })) },
  });
}

/** The files below a folder, `/`-separated, in order. */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort(inOrder);
}

function draft(content: { id: string } & JsonObject): DraftCase {
  const { id, ...rest } = content;
  return { id, text: `${JSON.stringify({ id, draft: true, ...rest }, null, 2)}\n` };
}

function idFrom(name: string): string {
  return basename(name)
    .replaceAll(/[^A-Za-z0-9_.-]/g, "_")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 80);
}
