import type { AgentError, AgentErrorCode } from "../../contract/agent-error.ts";
import type { RunLog } from "../../contract/agent-log.ts";
import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import { isoTime } from "../../shared/async/clock.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { AgentRun } from "./agent-run.ts";
import { callTool } from "./call-tool.ts";
import type { Work } from "./guard-facts.ts";
import { type Done, failedObservation, makeObservation, skillReference } from "./observations.ts";
import { quotedText } from "./quoted-text.ts";

/** Hands an action that passed the guards to the loader or to the tools runtime. */
export function carryOut(run: AgentRun, work: Work): Done | Promise<Done> {
  switch (work.kind) {
    case "select":
      return selectSkills(run, work.skills);
    case "load":
      return loadResource(run, work);
    case "tool":
      return callTool(run, work);
    case "answer":
      return {
        executed: { started: true, ok: true, result: { chars: work.content.length } },
        observation: null,
        hasNewSkill: false,
      };
    default:
      return work satisfies never;
  }
}

/** Discloses the bodies of skills. One that cannot be read does not keep the others back. */
async function selectSkills(run: AgentRun, skills: readonly AgentSkill[]): Promise<Done> {
  const loaded: string[] = [];
  const known: string[] = [];
  const errors: AgentError[] = [];
  for (const skill of skills) {
    if (run.selected.includes(skill)) {
      known.push(skill.name);
      continue;
    }
    const load = await run.setup.loader.body(skill, run.callId);
    if (!load.ok) {
      errors.push({ ...load.error, message: `${quotedText(skill.name, 80)}: ${load.error.message}` });
      if (endsRun(load.error)) break;
      continue;
    }
    const { report } = load;
    const facts = { call_id: run.callId, skill: { ...skillReference(skill), digest: skill.digest } };
    const event = run.emit("skill_loaded", { ...facts, path: report.path, report });
    run.selected.push(skill);
    run.context.addBody(load, event);
    loaded.push(skill.name);
  }

  const result = { loaded, already_loaded: known };
  const words = [
    ...(loaded.length === 0 ? [] : [`loaded the instructions of ${loaded.join(", ")}`]),
    ...(known.length === 0 ? [] : [`loaded before: ${known.join(", ")}`]),
  ].join("; ");
  const [error] = errors;
  if (error === undefined)
    return {
      executed: { started: true, ok: true, result },
      observation: makeObservation(true, words),
      hasNewSkill: loaded.length > 0,
    };
  const problems = errors.map((each) => failedObservation(each).summary).join("; ");
  return {
    executed: { started: loaded.length > 0 || errors.some(hasBegunReading), ok: false, error, result },
    observation: makeObservation(false, words === "" ? problems : `${words}; ${problems}`),
    hasNewSkill: loaded.length > 0,
  };
}

type ResourceWork = Extract<Work, { kind: "load" }>;

/** Discloses one file of a skill, or a section of it. */
async function loadResource(run: AgentRun, work: ResourceWork): Promise<Done> {
  const { loader, clock, log } = run.setup;
  const { skill, relativePath, sectionHint } = work;
  const startedAt = clock.now();
  const load = await loader.resource(skill, { relativePath, sectionHint }, run.callId);
  const started = load.ok || hasBegunReading(load.error);
  if (started) run.budget.used.resource_loads++;
  const audit = buildAudit(work, load, [startedAt, clock.now()], log);
  const about = { skill: skillReference(skill), started, audit };
  if (!load.ok)
    return {
      executed: { ...about, ok: false, error: load.error, result: {} },
      observation: failedObservation(load.error),
      hasNewSkill: false,
    };

  const { report } = load;
  const event = run.emit("resource_loaded", {
    call_id: run.callId,
    skill: { ...skillReference(skill), digest: skill.digest },
    path: relativePath,
    report,
  });
  run.context.addResource(load, event);
  const result = toResult(report);
  const cut = report.truncated === true ? ", cut" : "";
  const section = sectionHint === undefined ? "" : `, section ${quotedText(sectionHint, 200)}`;
  const file = `${quotedText(relativePath, 300)} of ${skill.name}${section}`;
  return {
    executed: { ...about, ok: true, result },
    observation: makeObservation(true, `loaded ${file}: ${load.text.length} characters${cut}`),
    hasNewSkill: false,
  };
}

function toResult({
  bytes_read,
  chars_returned,
  truncated,
  strategy,
}: (Loaded & { ok: true })["report"]): JsonObject {
  return {
    bytes_read: bytes_read ?? null,
    chars_returned: chars_returned ?? null,
    truncated: truncated ?? null,
    strategy: strategy ?? null,
  };
}

/** Reading a selected skill needs no approval; the resolved path is recorded nevertheless. */
function buildAudit(
  { skill, relativePath, sectionHint }: ResourceWork,
  { ok, path }: Loaded,
  [start, end]: readonly [number, number],
  log: Pick<RunLog, "paramsHash">,
): NonNullable<Done["executed"]["audit"]> {
  const params = {
    skill: skillReference(skill),
    relative_path: relativePath,
    ...(sectionHint !== undefined && { section_hint: sectionHint }),
  };
  return {
    tool: "load_resource",
    risk: "low",
    ts_start: isoTime(start),
    ts_end: isoTime(end),
    params,
    params_sha256: log.paramsHash(params),
    ...(path !== undefined && { path }),
    result: { ok },
    policy: { allowed: true, approved: false },
    hashes: {},
  };
}

/** Whether the content of a file had been looked at when this went wrong, or the file was refused unread. */
function hasBegunReading({ code, reason }: AgentError): boolean {
  return found.has(code) || (code === "IOError" && reason === "not_text");
}

const found: ReadonlySet<AgentErrorCode> = new Set<AgentErrorCode>([
  "SectionNotFound",
  "SkillBodyTooLarge",
  "InvalidFrontmatter",
]);

/** Whether a run that met this can prove nothing any more: its skill changed, or its sandbox failed or hid what was needed. */
export function endsRun({ code }: AgentError): boolean {
  return code === "SkillChanged" || code === "SandboxUnavailable" || code === "SandboxHid";
}
