import type { CaseReport } from "../../contract/agent-report.ts";
import type { ConversationRecord } from "../../contract/conversation.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import type { Skill } from "../../contract/skill.ts";
import { gradeConversation } from "../../scorers/conversation/grade-conversation.ts";
import type { AgentPlan } from "../agents/agent-request.ts";
import type { ConversationDesk } from "./conversation-desk.ts";
import { promisedOutput } from "./promised-output.ts";

/** Grades what was said in a conversation by its case, with what its skills promise about their output. */
export async function judgeConversation(
  record: ConversationRecord,
  loaded: LoadedConversationCase,
  about: { trial: number; model: string },
  { plan, conversations }: { plan: Pick<AgentPlan, "schemas" | "cwd">; conversations: ConversationDesk },
): Promise<CaseReport> {
  const skills = await conversations.skillsOf(loaded).current();
  const isAsked = loaded.case.expect.output?.contract === true;
  const contract = isAsked ? promisedOutput(selectedOf(record, skills), plan) : null;
  return gradeConversation(record, byIds(loaded, skills), { ...about, contract });
}

function selectedOf({ selected }: ConversationRecord, skills: readonly Skill[]): Skill[] {
  return selected.flatMap(({ id }) => skills.find((skill) => skill.id === id) ?? []);
}

/** A case may call a skill by another of its names; records know ids. */
function byIds(loaded: LoadedConversationCase, skills: readonly Skill[]): LoadedConversationCase {
  const idOf = (name: string) => skills.find(({ aliases }) => aliases.includes(name))?.id ?? name;
  const known = new Set(skills.map(({ id }) => id));
  const ids = (names: readonly string[] | undefined) =>
    names?.map((name) => (known.has(name) ? name : idOf(name)));
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
