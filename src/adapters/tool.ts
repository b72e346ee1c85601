import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Adapter } from "../contract/adapter.ts";
import type { ToolConfig } from "../contract/unit-skill.ts";
import { perCallAdapter, type SubprocessOptions } from "./subprocess.ts";
import type { CheckArguments } from "./tool-arguments.ts";
import { failure, outcomeOfTool } from "./tool-outcome.ts";
import { toolWire } from "./tool-wire.ts";

interface ToolOptions extends Omit<SubprocessOptions, "argv"> {
  tool: Pick<ToolConfig, "function" | "script">;
  check: CheckArguments;
  /** The interpreter it runs on. */
  python: string;
}

const toolHost = fileURLToPath(new URL("./tool-host.py", import.meta.url));

/** A declared tool of a skill: a function in a Python process of ours, which is a new one for every call. */
export function toolAdapter({ tool, check, python, ...options }: ToolOptions): Adapter {
  const dir = options.cwd;
  const command = { ...options, argv: [python, "-I", "-B", toolHost] as const, reads: [toolHost] };
  return {
    async call(input, limits) {
      limits.signal.throwIfAborted();
      const checked = check(input);
      if (!checked.ok) return failure("bad-arguments", checked.problem, { latencyMs: 0 });
      if (!existsSync(join(dir, tool.script)))
        return failure("tool-missing", `${tool.script} is missing`, { latencyMs: 0 });
      const { findings } = checked;
      const host = perCallAdapter(command, {
        openWire: () => toolWire(tool.script, tool.function),
        outcomeOf: (...seen) => outcomeOfTool({ ...tool, dir, findings }, ...seen),
      });
      return host.call(checked.arguments, limits);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
