import type { BenchSample } from "./open-target.ts";
import type { ReadyBench } from "./prepare.ts";
import type { PlanSource } from "./sources/plan-source.ts";
import { scriptedSource } from "./sources/scripted-source.ts";
import { toolSource } from "./sources/tool-source.ts";

/** Who makes the plans of a sample. */
export function sourceOf(
  sample: BenchSample,
  { target, hosts }: Pick<ReadyBench, "target" | "hosts">,
  session: string,
): PlanSource {
  const { loaded, chosen } = sample.case;
  const { source, outputs = [], arguments: given = {} } = loaded;
  switch (source) {
    case "model":
      return target.sourceFor(sample, session);
    case "fixed":
      return scriptedSource(outputs);
    case "local": {
      const { tool } = chosen;
      if (tool === null) throw new Error(`${loaded.id} has no tool`);
      return toolSource({ hosts, tool: tool.hosted, arguments: given, isUnchanged: tool.isUnchanged });
    }
    default:
      return source satisfies never;
  }
}
