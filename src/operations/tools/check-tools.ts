import type { Containment } from "../../contract/containment.ts";
import type { NotLoaded } from "../../contract/not-loaded.ts";
import type { ContainmentOptions } from "../../engine/request.ts";
import { forEachLimited } from "../../shared/async/each-of.ts";
import { declaredModules } from "../../skills/python/declared-modules.ts";
import { toolTargets } from "../../skills/targets/tool-targets.ts";
import { type CheckSetup, checkTool, type ToolToCheck } from "./check-tool.ts";
import {
  beginContainment,
  hostsIn,
  openToolSandbox,
  readyTools,
  redactPassthrough,
  type ToolContext,
} from "./ready-tools.ts";
import { closedSandbox } from "./refuses-bad-input.ts";
import {
  type CheckedTool,
  type ToolCheckReport,
  type ToolCheckStatus,
  toolCheckStatuses,
  toolVerdict,
} from "./tool-check.ts";
import { toolSamples } from "./tool-samples.ts";

/** Which tools to check, and how. */
interface ToolCheckRequest {
  /** Skills, folders of skills, or `<skill>#<tool>`. */
  paths: readonly string[];
  /** Name → absolute path. */
  schemas: Readonly<Record<string, string>>;
  /** Null: what the skills say. */
  timeoutMs: number | null;
  concurrency: number;
  containment: ContainmentOptions;
  cwd: string;
}

export interface ToolCheckContext extends ToolContext {
  warn(message: string): void;
  /** Called before the first tool is loaded. */
  onContainment(containment: Containment): void;
}

/** Checks declared tools of skills, and stores nothing. */
export async function checkTools(
  request: ToolCheckRequest,
  context: ToolCheckContext,
): Promise<ToolCheckReport> {
  const { containment, concurrency, cwd } = request;
  await using proof = beginContainment(containment, context);
  const { targets, warnings, notLoaded } = await toolTargets(request.paths, cwd);
  for (const warning of warnings) context.warn(warning);
  const skills: ReadySkill[] = [];
  for (const target of targets) {
    const tools = await readyTools(target, { exclude: context.exclude, timeoutMs: request.timeoutMs });
    // What is wrong with files of tests is reported before anything runs.
    const checked = tools.map(async (tool) => ({
      tool,
      samples: await toolSamples(tool),
      needs: declaredModules(target.skill),
      hints: target.tools.find(({ name }) => name === tool.name)?.hints ?? null,
    }));
    skills.push({ shown: target.shown, tools: await Promise.all(checked) });
  }
  const dirs = targets.map(({ skill }) => skill.dir);
  await using sandbox = await openToolSandbox(containment, context, proof, dirs);
  const open = (mode: "fresh" | "persistent", within = sandbox) =>
    hostsIn(within, mode, containment, context, concurrency);
  await using fresh = open("fresh");
  await using persistent = open("persistent");
  await using closed = open("fresh", closedSandbox(sandbox));
  const [first, ...more] = skills.flatMap(({ tools }) => tools.map(({ tool }) => tool));
  if (first !== undefined) await fresh.prepare([first, ...more]);
  context.onContainment(sandbox.containment);
  const { signal, exclude } = context;
  const schemas = { given: request.schemas, cwd };
  const setup: CheckSetup = { fresh, persistent, closed, concurrency, schemas, exclude, signal };
  const checked = await checkSkills(skills, setup);
  return toolCheckReport(
    redactPassthrough(containment, context.env)(checked),
    sandbox.containment,
    notLoaded,
  );
}

interface ReadySkill {
  /** The folder as the user would name it. */
  shown: string;
  tools: readonly (ToolToCheck & Pick<CheckedTool, "hints">)[];
}

/** Tools of one skill are checked one after the other: files that one leaves must not be blamed on another. */
async function checkSkills(skills: readonly ReadySkill[], setup: CheckSetup): Promise<CheckedTool[]> {
  const checked: CheckedTool[][] = skills.map(() => []);
  await forEachLimited(skills.entries(), setup.concurrency, async ([n, { shown, tools }]) => {
    for (const one of tools) {
      const { tool, hints } = one;
      const checks = await checkTool(one, setup);
      const names = { skill: tool.skill.id, tool: tool.name, shown: `${shown}#${tool.name}` };
      checked[n]?.push({ ...names, hints, checks });
    }
  });
  return checked.flat();
}

export function toolCheckReport(
  tools: readonly CheckedTool[],
  containment: Containment,
  notLoaded: readonly NotLoaded[] = [],
): ToolCheckReport {
  const all = tools.flatMap(({ checks }) => checks);
  const checks = Object.fromEntries(
    toolCheckStatuses.map((status) => [status, all.filter((check) => check.status === status).length]),
  ) as Record<ToolCheckStatus, number>;
  const verdicts = tools.map(toolVerdict);
  const count = (verdict: (typeof verdicts)[number]) => verdicts.filter((one) => one === verdict).length;
  const [passed, failed, untested, noVerdict] = [
    count("pass"),
    count("fail"),
    count("skipped"),
    count("invalid"),
  ];
  return {
    tools,
    counts: { tools: { total: tools.length, passed, failed, untested, noVerdict }, checks },
    notLoaded,
    containment,
    exitCode: notLoaded.length > 0 ? 2 : failed > 0 ? 1 : noVerdict > 0 ? 3 : 0,
  };
}
