import type { Loaded } from "../../contract/agent-parts.ts";
import { isoTime } from "../../shared/async/clock.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { AgentRun } from "./agent-run.ts";
import { type Done, nameOf } from "./done.ts";
import type { Work } from "./guard-facts.ts";
import { failedObservation, observationOf } from "./observations.ts";
import { quotedText } from "./quoted-text.ts";
import { hasBegunReading } from "./reading-errors.ts";

type ResourceWork = Extract<Work, { kind: "load" }>;

/** Discloses one file of a skill, or a section of it. */
export async function loadResource(run: AgentRun, work: ResourceWork): Promise<Done> {
  const { loader, clock } = run.setup;
  const { skill, relativePath, sectionHint } = work;
  const startedAt = clock.now();
  const load = await loader.resource(skill, { relativePath, sectionHint }, run.callId);
  const started = load.ok || hasBegunReading(load.error);
  if (started) run.budget.used.resource_loads++;
  const audit = auditOf(work, load, [startedAt, clock.now()]);
  const about = { skill: nameOf(skill), started, audit };
  if (!load.ok)
    return {
      executed: { ...about, ok: false, error: load.error, result: {} },
      observation: failedObservation(load.error),
      hasNewSkill: false,
    };

  const { report } = load;
  const event = run.emit("resource_loaded", {
    call_id: run.callId,
    skill: { ...nameOf(skill), digest: skill.digest },
    path: relativePath,
    report,
  });
  run.context.addResource(load, event);
  const result = resultOf(report);
  const cut = report.truncated === true ? ", cut" : "";
  const section = sectionHint === undefined ? "" : `, section ${quotedText(sectionHint, 200)}`;
  const file = `${quotedText(relativePath, 300)} of ${skill.name}${section}`;
  return {
    executed: { ...about, ok: true, result },
    observation: observationOf(true, `loaded ${file}: ${load.text.length} characters${cut}`),
    hasNewSkill: false,
  };
}

function resultOf({
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
function auditOf(
  { skill, relativePath, sectionHint }: ResourceWork,
  { ok, path }: Loaded,
  [start, end]: readonly [number, number],
): NonNullable<Done["executed"]["audit"]> {
  const params = {
    skill: nameOf(skill),
    relative_path: relativePath,
    ...(sectionHint !== undefined && { section_hint: sectionHint }),
  };
  return {
    tool: "load_resource",
    risk: "low",
    ts_start: isoTime(start),
    ts_end: isoTime(end),
    params,
    params_sha256: sha256(canonicalJson(params)),
    ...(path !== undefined && { path }),
    result: { ok },
    policy: { allowed: true, approved: false },
    hashes: {},
  };
}
