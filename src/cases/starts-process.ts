import { builtInTools } from "../contract/built-in-tools.ts";

/** Whether a tool starts a process: a script, or a tool that a skill brings. */
export function startsProcess(tool: string): boolean {
  return tool === "run_script" || !(builtInTools as readonly string[]).includes(tool);
}
