import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import { type AgentEvent, eventId } from "../../../contract/agent-event.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { calledSkill, plannedPayload, selectedIn } from "./call.ts";
import { isRecorded, recordedText } from "./recorded-text.ts";
import { faultAt, hasNoModelCall, type RunView, unknownWords } from "./run-view.ts";
import { isAccepted } from "./selected-skills.ts";
import { checkDigests } from "./skill-digests.ts";
import { checkStoredFiles } from "./stored-files.ts";

/** Whether the model saw skill content only on request, whole and unchanged. */
export function checkDisclosure(view: RunView): CheckResult[] {
  return [
    checkBodies(view),
    checkResources(view),
    checkReports(view),
    checkStoredFiles(view),
    checkContext(view),
    ...checkExpectedContext(view),
    checkDigests(view),
  ];
}

function checkBodies(view: RunView): CheckResult {
  const loads = view.of("skill_loaded");
  const wrong = loads.filter((load) => !isSelected(view, load));
  return {
    name: "skill bodies load only after a selection",
    isRequired: false,
    exercised: loads.length > 0,
    unseen: view.records("file_reads") ? null : unknownWords("file_reads"),
    faults: faultAt(wrong, ([{ data }]) => ({
      code: "UnselectedBodyLoaded",
      message: `the body of ${shownText(data.skill.name)} was loaded without an accepted select_skills`,
      expected: "an accepted select_skills with the same call_id and skill",
      actual: { call_id: data.call_id, skill: data.skill.name },
    })),
  };
}

function isSelected(view: RunView, { seq, data }: AgentEvent<"skill_loaded">): boolean {
  const call = view.call(data.call_id, seq);
  if (call?.planned === undefined || call.planned === null || call.planned.seq > seq) return false;
  if (!isAccepted(call) || (call.validated?.seq ?? 0) > seq) return false;
  return selectedIn(call).some(({ name, source }) => {
    const isSource = source === null || data.skill.source == null || source === data.skill.source;
    return isSource && (name === data.skill.name || view.index.indexedName(name) === data.skill.name);
  });
}

function checkResources(view: RunView): CheckResult {
  const loads = view.of("resource_loaded");
  const wrong = loads.filter((load) => !isRequested(view, load));
  return {
    name: "resources load only on request",
    isRequired: false,
    exercised: loads.length > 0,
    unseen: view.records("file_reads") ? null : unknownWords("file_reads"),
    faults: faultAt(wrong, ([{ data }]) => ({
      code: "UnrequestedResourceLoaded",
      message: `${shownText(data.path)} of ${shownText(data.skill.name)} was loaded without a load_resource`,
      expected: "a load_resource with the same call_id and path",
      actual: { call_id: data.call_id, skill: data.skill.name, path: data.path },
    })),
  };
}

function isRequested(view: RunView, { seq, data }: AgentEvent<"resource_loaded">): boolean {
  const call = view.call(data.call_id, seq);
  if (call?.planned?.data.action.type !== "load_resource" || call.planned.seq > seq) return false;
  if (call.validated?.data.ok === false) return false;
  const path = recordedText(plannedPayload(call).relative_path);
  if (path === null) return false;
  const isPath = "text" in path ? plainPath(path.text) === plainPath(data.path) : isRecorded(path, data.path);
  const skill = calledSkill(call);
  return (
    isPath &&
    (skill === null || skill === data.skill.name || view.index.indexedName(skill) === data.skill.name)
  );
}

/** Without empty and `.` segments. */
function plainPath(path: string): string {
  return path
    .split("/")
    .filter((segment) => segment !== "." && segment !== "")
    .join("/");
}

const reportMembers = ["sha256", "excerpt_sha256", "bytes_read", "chars_returned", "truncated"] as const;

function checkReports(view: RunView): CheckResult {
  const loads = [...view.of("skill_loaded"), ...view.of("resource_loaded")];
  const isKnown = view.records("load_reports");
  const wrong = isKnown ? loads.filter((load) => missingIn(load).length > 0) : [];
  return {
    name: "load reports are complete",
    isRequired: false,
    exercised: loads.length > 0,
    unseen: isKnown ? null : unknownWords("load_reports"),
    faults: faultAt(wrong, ([first]) => ({
      code: "LoadReportIncomplete",
      message: `the report on loading ${shownText(first.data.path)} lacks ${missingIn(first).join(", ")}`,
      expected: [...reportMembers],
      actual: { missing: missingIn(first) },
    })),
  };
}

function missingIn({ data: { report } }: AgentEvent<"skill_loaded" | "resource_loaded">): string[] {
  const missing: string[] = reportMembers.filter((member) => report[member] == null);
  return report.truncated === true && report.storage_ref === undefined
    ? [...missing, "storage_ref"]
    : missing;
}

function checkContext(view: RunView): CheckResult {
  const requests = view.of("model_request");
  const loads = new Map<string, AgentEvent>();
  for (const load of [...view.of("skill_loaded"), ...view.of("resource_loaded")])
    loads.set(eventId(load), load);
  const wrong: AgentEvent<"model_request">[] = [];
  let parts = 0;
  for (const request of requests) {
    const shown = (request.data.context_manifest ?? []).filter(
      ({ kind }) => kind === "body" || kind === "resource",
    );
    parts += shown.length;
    const isEarly = shown.some(({ kind, ref }) => {
      const load = ref === null ? undefined : loads.get(ref);
      return load?.type !== (kind === "body" ? "skill_loaded" : "resource_loaded") || load.seq > request.seq;
    });
    if (isEarly) wrong.push(request);
  }
  const lacksContents =
    (requests.length === 0 && !hasNoModelCall(view)) ||
    requests.some(({ data }) => data.context_manifest === null);
  return {
    name: "prompts contain only loaded text",
    isRequired: false,
    exercised: parts > 0 || loads.size > 0,
    unseen: lacksContents ? "the contents of the prompts were not recorded" : null,
    faults: faultAt(wrong, ([{ turn, data }]) => ({
      code: "BodyInContextBeforeLoad",
      message: `the prompt of turn ${turn} contains a skill body or resource that was not loaded before`,
      expected: "the id of an earlier load event",
      actual: (data.context_manifest ?? [])
        .filter(({ kind }) => kind === "body" || kind === "resource")
        .map(({ kind, ref }) => ({ kind, ref })),
    })),
  };
}

/** The strongest evidence: the script checked the prompts themselves. */
function checkExpectedContext(view: RunView): CheckResult[] {
  const asking = new Set<number>();
  for (const [index, turn] of (view.isMock ? (view.case.mock?.turns ?? []) : []).entries())
    if (turn.expect_context !== undefined) asking.add(index);
  const answers = view.of("model_response").filter(({ data }) => data.mock?.expect_context !== undefined);
  if (asking.size === 0 && answers.length === 0) return [];
  const wrong = answers.filter(({ data }) => {
    const found = data.mock?.expect_context;
    return found !== undefined && !(found.ok && found.missing.length === 0 && found.present.length === 0);
  });
  const unanswered = view
    .of("model_response")
    .some(({ data: { mock } }) => mock !== undefined && asking.has(mock.index) && !mock.expect_context);
  const faults: Fault[] = faultAt(wrong, ([{ turn, data }]) => {
    const { missing = [], present = [] } = data.mock?.expect_context ?? {};
    return {
      code: "ContextExpectationFailed",
      message: `the prompt of turn ${turn} does not match expect_context: ${contextWords(missing, present)}`,
      expected: "every expect_context holds",
      actual: { missing: missing.map(short), present: present.map(short) },
    };
  });
  return [
    {
      name: "expect_context",
      isRequired: asking.size > 0,
      exercised: answers.length > 0,
      unseen: unanswered ? "the result of an expect_context was not recorded" : null,
      faults,
    },
  ];
}

function contextWords(missing: readonly string[], present: readonly string[]): string {
  const words = [
    ...missing.slice(0, 3).map((text) => `${short(text)} is missing`),
    ...present.slice(0, 3).map((text) => `${short(text)} is there`),
  ];
  return words.join(", ") || "no details recorded";
}

function short(text: string): string {
  return shownText(JSON.stringify(text), 80);
}
