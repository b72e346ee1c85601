import { statusOfStop } from "../../../contract/agent-error.ts";
import type { AgentEvent, EventData } from "../../../contract/agent-event.ts";
import type { Json } from "../../../shared/json/json.ts";
import type { Call } from "./call.ts";
import { isHashOf, isParamsHash } from "./recorded-text.ts";
import type { RunView } from "./run-view.ts";
import { knownRisk } from "./tool-policy.ts";
import { orderProblems } from "./turn-order.ts";

/** Two statements of a log that cannot both be true. */
export interface Contradiction {
  message: string;
  at: readonly AgentEvent[];
}

/** Where a log contradicts itself: whoever wrote it, it is evidence of nothing. A fault that it shows counts all the same. */
export function contradictionsIn(view: RunView): Contradiction[] {
  return [
    ...view.calls.flatMap((call) => callProblems(view, call)),
    ...orderProblems(view),
    ...(view.isNative ? [...startProblems(view), ...promptProblems(view), ...endProblems(view)] : []),
  ];
}

function callProblems(view: RunView, call: Call): Contradiction[] {
  const problems: Contradiction[] = [];
  const claim = (isTrue: boolean, message: string, ...at: (AgentEvent | null)[]) => {
    if (!isTrue) problems.push({ message, at: at.filter((event) => event !== null) });
  };
  const { validated } = call;
  if (validated !== null)
    claim(validated.data.ok === (validated.data.error === undefined), "ok and error disagree", validated);
  for (const event of call.executed) {
    const { started, ok, error, result, audit } = event.data;
    claim(started || ok !== true, "what never started cannot have succeeded", event);
    claim(ok === null || ok === (error === undefined), "ok and error disagree", event);
    claim(ok !== true || !exitedBadly(result.exit_code), "a program that failed is recorded as ok", event);
    if (error?.code === "ApprovalDenied" && view.isNative)
      claim(call.denied.length > 0, "a denial is not recorded", event);
    if (audit !== undefined) auditProblems(view, call, event, audit, claim);
  }
  for (const event of call.required) {
    const { tool, risk, params, params_sha256 } = event.data;
    claim(
      isParamsHash(view.run, params_sha256, params as Json) !== false,
      "the hash is not that of its params",
      event,
    );
    claim((knownRisk(tool) ?? risk) === risk, `the risk of ${tool} is another`, event);
  }
  for (const event of [...call.granted, ...call.denied])
    claim(
      !view.isNative || call.required[0]?.data.approval_id === event.data.approval_id,
      "an answer to a question that nobody asked",
      event,
    );
  return [...problems, ...observationProblems(view, call), ...loadProblems(call)];
}

type Audit = NonNullable<EventData<"action_executed">["audit"]>;
type Claim = (isTrue: boolean, message: string, ...at: (AgentEvent | null)[]) => void;

function auditProblems(
  view: RunView,
  call: Call,
  event: AgentEvent<"action_executed">,
  { tool, risk, params, params_sha256, path, result, policy, hashes }: Audit,
  claim: Claim,
): void {
  const { ok, started, result: own } = event.data;
  const isHash = isParamsHash(view.run, params_sha256, params as Json);
  claim(isHash !== false, "the audited hash is not that of the audited params", event);
  const known = tool === "load_resource" ? "low" : (knownRisk(tool) ?? risk);
  claim(known === risk, `the risk of ${tool} is another`, event);
  claim(!started || policy.allowed || tool !== "load_resource", "what was not allowed has started", event);
  claim(isBoth(result.stdout_ref, hashes.stdout_sha256), "stdout has a file or a hash, not both", event);
  claim(isBoth(result.stderr_ref, hashes.stderr_sha256), "stderr has a file or a hash, not both", event);
  claim(ok === null || result.ok === ok, "the audit says another result", event);
  claim(isSame(own.exit_code, result.exit_code), "the audit says another exit code", event);
  claim(isSame(own.timeout, result.timeout), "the audit says otherwise about a timeout", event);
  const asked =
    (params as { relative_path?: Json; path?: Json }).relative_path ?? (params as { path?: Json }).path;
  if (path !== undefined)
    claim(
      typeof asked !== "string" || path.requested === asked,
      "the audited path is not the one asked for",
      event,
    );
  const grant = call.granted.at(-1);
  const ownGrant = grant !== undefined && call.denied.length === 0 ? grant : null;
  if (ownGrant !== null) {
    const { approval_id, scope } = ownGrant.data;
    const isIt = policy.approved && policy.approval_id === approval_id && policy.approval_scope === scope;
    claim(isIt, "the audit does not name the approval that was given", event, ownGrant);
  } else if (started) {
    const given = view.calls.some(({ granted }) =>
      granted.some(({ data }) => data.approval_id === policy.approval_id && data.scope === "run"),
    );
    claim(!policy.approved || given, "the audit names an approval that nobody gave", event);
  }
}

function isBoth(one: string | undefined, other: string | undefined): boolean {
  return (one === undefined) === (other === undefined);
}

/** The same, as far as both are recorded. */
function isSame(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined || one === other;
}

function exitedBadly(code: Json | undefined): boolean {
  return typeof code === "number" && code !== 0;
}

/** What a call says it loaded, against the loads themselves. */
function loadProblems({ executed: [end], loads }: Call): Contradiction[] {
  const problems = loads
    .filter(({ data }) => data.report.path !== data.path)
    .map((load): Contradiction => ({ message: "a load and its report are about two files", at: [load] }));
  if (end === undefined) return problems;
  const { result } = end.data;
  const names = loads.flatMap((load) => (load.type === "skill_loaded" ? [load.data.skill.name] : []));
  if (Array.isArray(result.loaded) && !isSameSet(result.loaded, names))
    problems.push({ message: "what was loaded is not what the action says", at: [...loads, end] });
  const resource = loads.find(({ type }) => type === "resource_loaded");
  const report = resource?.data.report;
  if (resource !== undefined && loadFacts.some((member) => !isSame(result[member], report?.[member])))
    problems.push({ message: "a load and its action disagree", at: [resource, end] });
  return problems;
}

const loadFacts = ["bytes_read", "chars_returned", "truncated", "strategy"] as const;

function isSameSet(some: readonly Json[], names: readonly string[]): boolean {
  return some.length === names.length && names.every((name) => some.includes(name));
}

function observationProblems({ of }: RunView, call: Call): Contradiction[] {
  const end = call.executed[0];
  const ok = call.validated?.data.ok === false ? false : (end?.data.ok ?? null);
  return of("observation_recorded")
    .filter(
      ({ data }) => data.call_id === call.id && data.success !== null && ok !== null && data.success !== ok,
    )
    .filter(({ seq }) => seq >= call.since)
    .slice(0, 1)
    .map((event) => ({
      message: "the observation says another result",
      at: end === undefined ? [event] : [end, event],
    }));
}

function startProblems({ started, indexed, of, run }: RunView): Contradiction[] {
  const problems: Contradiction[] = [];
  const claim = (isTrue: boolean, message: string, ...at: AgentEvent[]) => {
    if (!isTrue) problems.push({ message, at });
  };
  const { index_hash, streaming, request_ref, request_sha256 } = started.data;
  if (indexed !== null) {
    const { found, valid, skills } = indexed.data;
    claim(indexed.data.index_hash === index_hash, "the index has two hashes", started, indexed);
    claim(valid === skills.length && found >= valid, "the index has another number of skills", indexed);
  }
  const deltas = of("model_delta").slice(0, 1);
  claim(
    streaming || deltas.length === 0,
    "a run that was not streamed has streamed text",
    started,
    ...deltas,
  );
  const request = request_ref === null ? null : run.read(request_ref);
  const isRequest = request === null || request_sha256 === null || isHashOf(request_sha256, request);
  claim(isRequest, "the request is another text than the recorded one", started);
  return problems;
}

/** Bodies are never dropped from a prompt, and a prompt is no shorter than its parts. */
function promptProblems({ of, run }: RunView): Contradiction[] {
  const loads = of("skill_loaded");
  const ids = new Map(loads.map(({ seq }) => [`${run.runId}#${seq}`, seq]));
  return of("model_request").flatMap((event) => {
    const { context_manifest: parts, chars } = event.data;
    if (parts === null || chars === null) return [];
    const shown = new Set(parts.map(({ ref }) => ref));
    const isWhole = [...ids].every(([id, seq]) => seq > event.seq || shown.has(id));
    const sum = parts.reduce((total, part) => total + part.chars, 0);
    return [
      ...(isWhole ? [] : [{ message: "a prompt lacks a body that was loaded before", at: [event] }]),
      ...(chars >= sum ? [] : [{ message: "a prompt is shorter than its parts", at: [event] }]),
    ];
  });
}

/** The end must fit what came before: nobody believes what a run says of itself, but it may not say otherwise. */
function endProblems(view: RunView): Contradiction[] {
  const { finished, counts, of, run } = view;
  const { status, stop_reason, degraded, budget, usage, final, mock } = finished.data;
  const problems: Contradiction[] = [];
  const claim = (isTrue: boolean, message: string, at: readonly AgentEvent[] = [finished]) => {
    if (!isTrue) problems.push({ message, at });
  };
  const answers = of("action_executed").filter(({ data }) => data.action === "final_answer" && data.started);
  const isAnswered = answers.length > 0;
  claim(stop_reason != null && degraded != null, "it is not recorded how the run ended");
  if (stop_reason != null) {
    claim((stop_reason === "final_answer") === isAnswered, "the stop reason does not fit the last action", [
      ...answers,
      finished,
    ]);
    if (Object.hasOwn(statusOfStop, stop_reason))
      claim(
        status === statusOfStop[stop_reason as keyof typeof statusOfStop],
        "status and stop_reason disagree",
      );
    claim((stop_reason === "budget_exhausted") === (budget !== undefined), "budget and stop_reason disagree");
  }
  if (degraded != null) claim(degraded !== isAnswered, "a run is degraded or has an answer");
  for (const [name, count] of Object.entries(counts))
    if (name !== "context_chars" && typeof usage[name] === "number")
      claim(usage[name] === count, `${name} in usage is not the count of events`);
  if (final != null && run.final !== null)
    claim(
      final.ref === "final.md" && final.chars === run.final.length,
      "the final text is elsewhere, or of another length",
    );
  const scripted = of("model_response").flatMap(({ data }) =>
    data.mock === undefined ? [] : [data.mock.index],
  );
  claim(
    scripted.length === 0 || (mock?.used === scripted.length && scripted.every((index, n) => index === n)),
    "the use of the script is not what its replies show",
  );
  return [...problems, ...outcomeProblems(view)];
}

const outcomes = { answered: "final_answer", observed: "executed", refused: "refused" } as const;

/** How a turn is recorded to have ended, against what happened in it. */
function outcomeProblems({ of, calls }: RunView): Contradiction[] {
  return of("turn_finished").flatMap((event) => {
    const call = calls.find(({ planned }) => planned?.turn === event.turn);
    const { outcome } = event.data;
    if (outcome === "stopped") return [];
    const isAnswer = call?.executed[0]?.data.action === "final_answer";
    const seen =
      call === undefined
        ? "nothing"
        : call.validated?.data.ok === false
          ? "refused"
          : isAnswer
            ? "final_answer"
            : "executed";
    const isObserved =
      outcome === "answered" || of("observation_recorded").some(({ turn }) => turn === event.turn);
    return seen === outcomes[outcome] && isObserved
      ? []
      : [{ message: `turn ${event.turn} did not end as ${outcome}`, at: [event] }];
  });
}
