import type { CheckResult, Fault } from "../../../cases/grade/dimension.ts";
import type { AgentEvent } from "../../../contract/agent-event.ts";
import type { RecordedRun } from "../../../contract/agent-log.ts";
import { lexicalProblem } from "../../../shared/files/path-guard.ts";
import { sha256 } from "../../../shared/json/canonical-json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import { isSameHash } from "./recorded-text.ts";
import type { RunView } from "./run-view.ts";

/** Whether every file that the log points at is there, inside the run, with the recorded hash. */
export function checkStoredFiles(view: RunView): CheckResult {
  const loads = [...view.of("skill_loaded"), ...view.of("resource_loaded")];
  const ofLoads = new Set(loads.map(({ data }) => `${data.call_id} ${data.report.storage_ref}`));
  const refs = view.run.events.flatMap((event) => refsIn(event, ofLoads));
  const hashes = new Map<string, string | null>();
  const broken = refs.flatMap((stored) => {
    const problem = problemWith(view.run, stored, hashes);
    return problem === null ? [] : [{ ...stored, problem }];
  });
  const faults: Fault[] = broken.slice(0, 1).map(({ ref, problem, hash }) => ({
    code: "StorageRefBroken",
    message: `${shownText(ref)} ${problem}`,
    expected: hash,
    actual: problem,
    at: broken.map(({ at }) => at),
  }));
  return {
    name: "stored files match their recorded hashes",
    isRequired: false,
    exercised: refs.length > 0,
    unseen: refs.some(({ hash }) => hash === null) ? "the hash of a stored file was not recorded" : null,
    faults,
  };
}

interface StoredRef {
  ref: string;
  hash: string | null;
  at: AgentEvent;
}

function refsIn(event: AgentEvent, ofLoads: ReadonlySet<string>): StoredRef[] {
  switch (event.type) {
    case "skill_loaded":
    case "resource_loaded": {
      const { storage_ref: ref, storage_sha256, sha256 } = event.data.report;
      return ref === undefined ? [] : [{ ref, hash: storage_sha256 ?? sha256 ?? null, at: event }];
    }
    case "observation_recorded": {
      const { storage_ref: ref, sha256, summary, call_id } = event.data;
      // The file of a load has its hash in the report on it; here is that of the excerpt.
      const isOfLoad = ofLoads.has(`${call_id} ${ref}`);
      const stored = ref === undefined || isOfLoad ? [] : [{ ref, hash: sha256, at: event }];
      return [...stored, ...textRefs(summary, event)];
    }
    case "action_executed": {
      const { result, hashes } = event.data.audit ?? {};
      return [
        ...(result?.stdout_ref === undefined
          ? []
          : [{ ref: result.stdout_ref, hash: hashes?.stdout_sha256 ?? null, at: event }]),
        ...(result?.stderr_ref === undefined
          ? []
          : [{ ref: result.stderr_ref, hash: hashes?.stderr_sha256 ?? null, at: event }]),
        ...textRefs(event.data, event),
      ];
    }
    // Their refs are the request, the answer and the loads in a prompt, which are checked elsewhere.
    case "run_started":
    case "model_request":
    case "run_finished":
      return [];
    default:
      return textRefs(event.data, event);
  }
}

/** Texts that were too long for their line, at any depth. */
function textRefs(value: unknown, at: AgentEvent): StoredRef[] {
  if (typeof value !== "object" || value === null) return [];
  const { ref, sha256, bytes } = value as { ref?: unknown; sha256?: unknown; bytes?: unknown };
  if (typeof ref === "string" && typeof sha256 === "string" && typeof bytes === "number")
    return [{ ref, hash: sha256, at }];
  return Object.values(value).flatMap((member) => textRefs(member, at));
}

/** Every file is read once, however often a log points at it. */
function problemWith(
  run: RecordedRun,
  { ref, hash }: StoredRef,
  hashes: Map<string, string | null>,
): string | null {
  const outside = lexicalProblem(ref);
  if (outside !== null) return `is not a path inside the run: it ${outside}`;
  let found = hashes.get(ref);
  if (found === undefined) {
    const bytes = run.read(ref);
    found = bytes === null ? null : sha256(bytes);
    hashes.set(ref, found);
  }
  if (found === null) return "does not exist";
  return hash === null || isSameHash(hash, found) ? null : "does not match its recorded hash";
}
