import { type CaseSuiteFacts, caseSuite } from "../../cases/case-suite.ts";
import type { LoadedConversationCase } from "../../contract/loaded-case.ts";
import { executeConversation, scoreConversation } from "./execute.ts";
import { conversationGraderVersion } from "./grade/grader-version.ts";
import { conversationLevel } from "./level.ts";

/** The conversations of a suite as a suite of the engine. */
export function conversationSuite(facts: CaseSuiteFacts<LoadedConversationCase>) {
  return caseSuite(facts, {
    level: conversationLevel,
    grader: conversationGraderVersion,
    execute: (cell, signal) => executeConversation(cell, facts.world, signal),
    score: scoreConversation,
  });
}
