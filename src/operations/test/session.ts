import { refuseOtherJudges } from "../../engine/resumed-models.ts";
import { sessionsFor } from "../../engine/session.ts";
import { benchPlanning } from "../../levels/planbench/session.ts";
import { triggerPlanning } from "../../levels/trigger/session.ts";
import { UserError } from "../../shared/user-error.ts";
import { agentPlanning } from "../agent/session.ts";
import { evalPlanning, unitIdentity } from "../eval/session.ts";
import type { Since } from "./affected.ts";
import { agentContext, benchContext, type TestContext, triggerContext } from "./level-material.ts";
import { prepareTest, type ReadyTest } from "./prepare.ts";
import type { TestPlan } from "./request.ts";

export const testSessions = sessionsFor<TestPlan, ReadyTest, TestContext>({
  command: "test",
  format: 1,
  prepare: prepareTest,
  identity: testIdentity,
  resumed: (planned, now, context) => ({
    ...now,
    since: resumedSince(planned, now),
    unit: evalPlanning.resumed(planned.unit, now.unit, context),
    trigger: triggerPlanning.resumed(planned.trigger, now.trigger, triggerContext(context)),
    agent: agentPlanning.resumed(planned.agent, now.agent, agentContext(context)),
    planbench: benchPlanning.resumed(planned.planbench, now.planbench, benchContext(context)),
  }),
  settle: (plan, { since }) => ({ ...plan, since }),
  refuse(runId, planned, { unit }, context) {
    if (unit !== null && unit.judges.length > 0)
      refuseOtherJudges(runId, planned.unit.models, context.models);
  },
});

/** What was affected when the run began, wherever the ref leads by now. */
function resumedSince({ since = null }: TestPlan, now: TestPlan): Since | null {
  if (now.since === null || now.since.ref === since?.ref) return since;
  throw new UserError(
    "usage",
    "--changed cannot be used with --resume: it would change the plan of the run",
    {
      hint: "omit it, or start a new run without --resume",
    },
  );
}

/** What the run is made of: the same at every level as alone, each name with its level. */
function testIdentity({
  contracts,
  unit,
  trigger,
  agents,
  benches,
  material,
}: ReadyTest): Record<string, string> {
  const identity: Record<string, string> = {};
  const add = (label: string, part: Record<string, string>) => {
    for (const [name, hash] of Object.entries(part)) identity[`${label}: ${name}`] = hash;
  };
  if (contracts !== null) add("contract", contracts.identity);
  if (unit !== null) add("unit", unitIdentity(unit.unitSuites));
  if (trigger !== null) add("trigger", triggerPlanning.identity(trigger));
  if (agents !== null) add("agent", agentPlanning.identity(agents));
  for (const bench of benches) add(`planbench ${bench.bench.file.id}`, benchPlanning.identity(bench));
  // A skill that nothing tests is in the report as well.
  for (const { id } of material.skills) identity[`skill ${id}`] ??= "";
  return identity;
}
