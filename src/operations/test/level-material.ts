import type { WantsCase } from "../../engine/case-selection.ts";
import type { EarlyProof } from "../../engine/containment/open-containment.ts";
import type { ContainmentOptions } from "../../engine/request.ts";
import type { RunContext } from "../../engine/run-context.ts";
import type { BenchSessionContext } from "../../levels/planbench/session.ts";
import type { TriggerContext } from "../../levels/trigger/session.ts";
import type { AgentSessionContext } from "../agent/session.ts";
import type { Material } from "./discover-material.ts";
import type { TestPlan } from "./request.ts";

/** The environment of a run of `test`, which no plan stores. */
export interface TestContext extends RunContext {
  /** Where run directories are made, absolute. */
  runsDir: string;
}

/** What the levels are prepared from. */
export interface LevelMaterial {
  plan: TestPlan;
  context: TestContext;
  material: Material;
  proof: EarlyProof;
  wants: WantsCase | undefined;
}

/** What a level of cases needs of the context. */
export function agentContext(context: TestContext): AgentSessionContext {
  const { models, judges, exclude, runsDir, ...shared } = context;
  return { ...shared, models: judges, runsDir, exclude: [...exclude, runsDir], configuredModels: models };
}

export function benchContext({ models, judges, ...shared }: TestContext): BenchSessionContext {
  return { ...shared, models: judges, configuredModels: models };
}

/** What trigger tests need of it. */
export function triggerContext({ models, judges, exclude, ...shared }: TestContext): TriggerContext {
  return {
    ...shared,
    models: judges,
    usesCache: true,
    hidden: exclude,
    exclude,
    listsUntested: false,
    configuredModels: models,
  };
}

/** More containment may be demanded now than when the run began; it holds at every level. */
export function containmentOf(
  plan: TestPlan,
): Pick<ContainmentOptions, "sandbox" | "floor" | "floorFile" | "network" | "allowNetwork"> {
  const { sandbox, floor, floorFile, network, allowNetwork } = plan;
  return { sandbox, floor, floorFile, network, allowNetwork };
}
