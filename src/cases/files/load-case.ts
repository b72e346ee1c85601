import { mergeMaps } from "../../config/merge-config.ts";
import { AgentCaseFile, pureKinds } from "../../contract/agent-case.ts";
import { ConversationCaseFile } from "../../contract/conversation-case.ts";
import type { LoadedCase } from "../../contract/loaded-case.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import { isMap } from "../../shared/json/json-values.ts";
import { type KnownKeys, unknownKeys } from "../../shared/json/known-keys.ts";
import { didYouMean } from "../../shared/text/nearest.ts";
import { shownText } from "../../shared/text/visible-text.ts";
import type { CaseFiles } from "./case-files.ts";
import { hintForMock } from "./check-mock.ts";
import { closedShape, fitShape } from "./fit-shape.ts";
import { loadAgentCase } from "./load-agent-case.ts";
import { loadConversationCase } from "./load-conversation-case.ts";
import { isPureKind, loadPureCase } from "./load-pure-case.ts";
import { caseReporter, type RawCase, type SuiteDefaults } from "./raw-case.ts";

interface CaseContext {
  suite: string;
  files: CaseFiles;
  warnings: string[];
}

const agentShape = closedShape(AgentCaseFile);
const conversationShape = closedShape(ConversationCaseFile);

/** Checks a case and reads what it names. Any fault is a UserError with the file and the location. */
export function loadCase(raw: RawCase, context: CaseContext): LoadedCase {
  const { written, defaults } = raw;
  const report = caseReporter(raw, context.warnings);
  if (!isMap(written)) throw report.fault([], "must be a map with id and input");
  const writtenKind = written.kind ?? defaults?.value.kind;
  if (writtenKind === undefined && readsLikeConversation(written))
    throw report.fault([], "has no kind and looks like a conversation", "add `kind: conversation`");
  const kind = writtenKind ?? "agent";
  if (isPureKind(kind)) return loadPureCase(raw, { ...context, report, kind });
  const merged = (known: KnownKeys, other: KnownKeys) =>
    defaults === null ? written : mergeMaps(defaultsFor(defaults, known, other), written as JsonObject);
  if (kind === "conversation") {
    const whole = merged(conversationShape.known, agentShape.known);
    const file = fitShape(whole, conversationShape, report, { hintFor: hintForRoute });
    return loadConversationCase(file, raw, { ...context, report });
  }
  if (kind !== "agent") {
    const known = ["agent", "conversation", ...pureKinds];
    const shown = shownText(String(JSON.stringify(kind)));
    throw report.fault(["kind"], `may not be ${shown}`, didYouMean(String(kind), known));
  }
  const whole = merged(agentShape.known, conversationShape.known);
  const file = fitShape(whole, agentShape, report, { hintFor: hintForMock });
  return loadAgentCase(file, raw, { ...context, report });
}

function hintForRoute([first, second]: readonly PropertyKey[]): string | undefined {
  return first === "setup" && second === "route" ? "write auto, or { forced: <skill> }" : undefined;
}

/** By what only conversations have; read as an agent case, the wrong mistakes would be reported. */
function readsLikeConversation({ mock, expect }: Record<string, unknown>): boolean {
  const turns = isMap(mock) && Array.isArray(mock.turns) ? mock.turns.filter(isMap) : [];
  return (
    turns.some((turn) => Object.hasOwn(turn, "call") || Object.hasOwn(turn, "final")) ||
    (isMap(expect) && (Object.hasOwn(expect, "tool_calls") || Object.hasOwn(expect, "uses_result")))
  );
}

/** What a suite says about a case of one kind: what only cases of another kind know is not meant for it. */
function defaultsFor(defaults: SuiteDefaults | null, known: KnownKeys, other: KnownKeys): JsonObject {
  if (defaults === null) return {};
  const strange = unknownKeys(defaults.value, known);
  if (strange.length === 0) return defaults.value;
  const nobodys = new Set(unknownKeys(defaults.value, other).map(({ steps }) => JSON.stringify(steps)));
  const copy = structuredClone(defaults.value);
  // Unknown keys stay, and are reported.
  for (const { steps } of strange) if (!nobodys.has(JSON.stringify(steps))) remove(copy, steps);
  return copy;
}

function remove(value: JsonObject, steps: readonly PropertyKey[]): void {
  let owner: Record<PropertyKey, unknown> = value;
  for (const step of steps.slice(0, -1)) owner = owner[step] as Record<PropertyKey, unknown>;
  delete owner[steps.at(-1) ?? ""];
}
