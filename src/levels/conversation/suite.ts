import { randomUUID } from "node:crypto";
import { askAboutSentences, storedWords } from "../../cases/ask-about-sentences.ts";
import { caseScore, usageIn } from "../../cases/case-score.ts";
import { type CaseContext, type CaseSuiteFacts, caseSuite } from "../../cases/case-suite.ts";
import type { AgentCase, AgentSubject } from "../../cases/plan-cases.ts";
import { asJson, type ConversationEvidence, toCaseReport } from "../../contract/agent-details.ts";
import { builtInTools } from "../../contract/built-in-tools.ts";
import type { Cell } from "../../contract/cell.ts";
import type { ConversationRecord } from "../../contract/conversation.ts";
import type { Speaker } from "../../contract/conversation-parts.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Answered } from "../../contract/outcome.ts";
import type { CellResult } from "../../contract/result.ts";
import type { Score } from "../../contract/scorer.ts";
import type { Skill } from "../../contract/skill.ts";
import type { TelemetryContext } from "../../contract/telemetry.ts";
import { conversationTelemetry } from "./conversation-telemetry.ts";
import { converse } from "./dialogue/converse.ts";
import { modelSpeaker, scriptSpeaker } from "./dialogue/speakers.ts";
import { conversationGraderVersion, gradeConversation, replyTallies } from "./grade/grade-conversation.ts";
import { demandedSchema, promisedOutput, proseCheck } from "./grade/output.ts";
import { conversationLevel } from "./level.ts";
import { openDocument } from "./open-document.ts";

/** The conversations of a suite as a suite of the engine. */
export function conversationSuite(facts: CaseSuiteFacts<LoadedConversationCase>) {
  return caseSuite(facts, {
    level: conversationLevel,
    grader: conversationGraderVersion,
    execute: (cell, signal) => executeConversation(cell, facts.context, signal),
    score: (answer, cell, signal, before) => scoreConversation(answer, cell, facts.context, signal, before),
  });
}

type ConversationCell = Cell<AgentCase<LoadedConversationCase>, AgentSubject>;

/** Holds the conversation of a case once. Its evidence is the record and the output contract of its skills. */
async function executeConversation(
  cell: ConversationCell,
  context: CaseContext,
  signal: AbortSignal,
): Promise<Answered> {
  const { loaded } = cell.case;
  const { conversations, clock } = context;
  const { setup, constraints } = loaded.case;
  const began = clock.monotonic();
  const document = loaded.document === null ? null : await openDocument(loaded.document);
  const host = setup.host ?? null;
  const chosen = await conversations
    .findSkills(loaded)
    .select({ query: loaded.request, host, documentName: document?.name, forced: loaded.forced }, signal);
  const listener = conversationTelemetry(context.telemetry, telemetryContext(cell, context));
  listener.selected(chosen);
  const held = await converse(
    {
      request: loaded.request,
      host,
      document,
      ...chosen,
      builtIns: builtInTools,
      speaker: await openSpeaker(cell, context),
      hosts: conversations.hosts,
      limits: {
        maxTurns: constraints.max_turns,
        maxToolCalls: constraints.max_tool_calls,
        timeoutMs: conversations.deadlineOf(loaded),
      },
      clock,
      listen: listener,
    },
    signal,
  );
  const skills = await conversations.findSkills(loaded).current();
  const record = withEdits(held, skills);
  listener.applied(chosen.skills, record.final);
  const evidence: ConversationEvidence = {
    record,
    contract: promisedTo(loaded, record, skills, context.plan),
    aliases: aliasesIn(loaded, skills),
  };
  return {
    status: "answered",
    output: asJson(evidence),
    latencyMs: clock.monotonic() - began,
    ...usageIn(cell.subject.model, replyTallies(record)),
  };
}

/** Grades a conversation by its case and the output contract of its skills. */
async function scoreConversation(
  { output }: Pick<Answered, "output">,
  { case: { loaded }, subject: { model }, trial }: ConversationCell,
  { judgeOf }: CaseContext,
  signal: AbortSignal,
  before?: CellResult,
): Promise<Score> {
  const { record, contract, aliases } = output as unknown as ConversationEvidence;
  const judge = judgeOf(loaded);
  const sentences = contract?.prose == null ? [] : [contract.prose];
  const answer = record.final?.trim() === "" ? null : record.final;
  const asked = { title: loaded.case.title, request: loaded.request, sentences, answer };
  const judged =
    before === undefined
      ? judge && (await askAboutSentences(asked, judge, { trial, signal }))
      : { words: proseWord(before), judge: before.judge };
  const prose = judged?.words?.[0];
  const about = { trial, model, contract, prose };
  return caseScore(await gradeConversation(record, byIds(loaded, aliases), about), {
    judge: judged?.judge ?? null,
  });
}

/** What a judge said about the prose when the conversation was graded before. */
function proseWord(before: CellResult) {
  if (before.judge === null) return undefined;
  const { scores, failures } = toCaseReport(before);
  const checks = scores.output.checks.filter(({ name }) => name === proseCheck);
  return storedWords(checks, failures, ({ code }) => code === "OutputProse");
}

/** Records which skills were edited meanwhile: later calls used the newer version. */
function withEdits(record: ConversationRecord, skills: readonly Skill[]): ConversationRecord {
  const selected = record.selected.map((skill) => {
    const edited_to = skills.find(({ id }) => id === skill.id)?.digest ?? "";
    return edited_to === skill.digest ? skill : { ...skill, edited_to };
  });
  return { ...record, selected };
}

/** The output contract of the selected skills, where the case checks it. */
function promisedTo(
  { case: { expect } }: LoadedConversationCase,
  { selected }: ConversationRecord,
  skills: readonly Skill[],
  plan: CaseContext["plan"],
): ConversationEvidence["contract"] {
  const { contract = false, schema } = expect.output ?? {};
  const chosen = selected.flatMap(({ id }) => skills.find((skill) => skill.id === id) ?? []);
  const promised = contract ? promisedOutput(chosen, plan) : null;
  if (schema === undefined) return promised;
  const nothing = { markers: [], maxChars: null, schemas: [], prose: null, offers: [] };
  const { schemas, ...rest } = promised ?? nothing;
  return {
    ...rest,
    schemas: [...schemas.filter(({ name }) => name !== schema), demandedSchema(schema, plan)],
  };
}

/** A case may use an alias of a skill; records have ids. */
function aliasesIn(
  { case: { expect } }: LoadedConversationCase,
  skills: readonly Skill[],
): Record<string, string> {
  const known = new Set(skills.map(({ id }) => id));
  const names = [...(expect.skills_all_of ?? []), ...(expect.skills_none_of ?? [])];
  const found = names
    .filter((name) => !known.has(name))
    .flatMap((name) => {
      const id = skills.find(({ aliases }) => aliases.includes(name))?.id;
      return id === undefined ? [] : [[name, id] as const];
    });
  return Object.fromEntries(found);
}

function byIds(
  loaded: LoadedConversationCase,
  aliases: ConversationEvidence["aliases"],
): LoadedConversationCase {
  const ids = (names: readonly string[] | undefined) =>
    names?.map((name) => (Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name));
  const { expect } = loaded.case;
  const { skills_all_of, skills_none_of } = expect;
  return {
    ...loaded,
    case: {
      ...loaded.case,
      expect: { ...expect, skills_all_of: ids(skills_all_of), skills_none_of: ids(skills_none_of) },
    },
  };
}

function telemetryContext(
  { key, case: { loaded } }: ConversationCell,
  { evalRunId }: CaseContext,
): TelemetryContext {
  const { host } = loaded.case.setup;
  return {
    run_id: evalRunId,
    cell_id: key,
    case_id: loaded.case.id,
    session_id: randomUUID(),
    ...(host !== undefined && { host_app: host }),
  };
}

async function openSpeaker(
  { case: { loaded }, subject: { model }, trial }: ConversationCell,
  context: CaseContext,
): Promise<Speaker> {
  const { mock } = loaded.case;
  if (model === "mock" && mock !== undefined) return scriptSpeaker(mock);
  const { temperature } = context.plan.settings.llm;
  return modelSpeaker(await context.models.plain(model), { trial, temperature });
}
