import { caseScore } from "../../cases/case-score.ts";
import { type CaseSuiteFacts, caseSuite } from "../../cases/case-suite.ts";
import { isAgentCase } from "../../cases/plan-cases.ts";
import { asJson, type PureEvidence } from "../../contract/agent-details.ts";
import type { LoadedAgentCase, LoadedPureCase } from "../../contract/loaded-case.ts";
import type { Answered } from "../../contract/outcome.ts";
import { executeAgent, scoreAgent } from "./execute.ts";
import { pureReport } from "./grade/grade-pure.ts";
import { graderVersion } from "./grade/grade-run.ts";
import { judgePure } from "./grade/judge-pure.ts";
import { agentLevel } from "./level.ts";
import { runPureCase } from "./run-pure-case.ts";

/** The agent cases of a suite, and those of pure functions, as a suite of the engine. */
export function agentSuite(facts: CaseSuiteFacts<LoadedAgentCase | LoadedPureCase>) {
  const { world } = facts;
  return caseSuite(facts, {
    level: agentLevel,
    grader: graderVersion,
    async execute(cell, signal) {
      const { loaded } = cell.case;
      if (isAgentCase(loaded))
        return executeAgent({ ...cell, case: { ...cell.case, loaded } }, world, signal);
      const began = world.clock.monotonic();
      const output = asJson(await runPureCase(loaded));
      return { status: "answered", output, latencyMs: world.clock.monotonic() - began } satisfies Answered;
    },
    async score(answer, cell, signal, before) {
      const { loaded } = cell.case;
      if (isAgentCase(loaded))
        return scoreAgent(answer, { ...cell, case: { ...cell.case, loaded } }, world, signal, before);
      const evidence = answer.output as unknown as PureEvidence;
      return caseScore(pureReport(loaded, judgePure(loaded, evidence)));
    },
  });
}
