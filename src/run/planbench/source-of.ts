import type { PlanSource } from "../../planbench/plan-source.ts";
import { scriptedSource } from "../../planbench/scripted-source.ts";
import { toolSource } from "../../planbench/tool-source.ts";
import type { BenchJob } from "./bench-cells.ts";
import type { ReadyBench } from "./prepare-bench.ts";

/** Who makes the plans of a sample. */
export function sourceOf(
  job: BenchJob,
  { target, hosts }: Pick<ReadyBench, "target" | "hosts">,
  session: string,
): PlanSource {
  const { source, outputs = [], arguments: given = {} } = job.case;
  switch (source) {
    case "model":
      return target.sourceFor(job, session);
    case "fixed":
      return scriptedSource(outputs);
    case "local": {
      const { tool } = job.chosen;
      if (tool === null) throw new Error(`${job.case.id} has no tool`);
      return toolSource({ hosts, tool: tool.hosted, arguments: given, isUnchanged: tool.isUnchanged });
    }
    default:
      return source satisfies never;
  }
}
