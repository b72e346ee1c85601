import * as z from "zod";
import type { builtInTools } from "./built-in-tools.ts";

export type BuiltInTool = (typeof builtInTools)[number];
/** Those that `call_tool` names; `run_script` is an action of its own. */
export type CallableTool = Exclude<BuiltInTool, "run_script">;

/** What harm a tool can do. Low risk is always on; the rest is switched on by name and needs approval. */
export type Risk = "low" | "medium" | "high";

const riskOfBuiltIn: Readonly<Record<BuiltInTool, Risk>> = {
  read_file: "low",
  list_dir: "low",
  grep: "low",
  run_script: "medium",
  run_command: "high",
  write_file: "high",
  delete_file: "high",
  network_request: "high",
};

/** The risk of a tool that is built in, or that a skill declares. */
export function toolRisk(tool: string): Risk {
  return Object.hasOwn(riskOfBuiltIn, tool) ? riskOfBuiltIn[tool as BuiltInTool] : "medium";
}

/** A tool of another agent that none of ours matches; imported runs name it so. */
export const foreignPrefix = "foreign:";

const path = z.string().min(1);
/** What each takes. Closed objects: a misspelt argument is reported, not dropped. */
export const toolArguments = {
  read_file: z.strictObject({ path }),
  list_dir: z.strictObject({ path }),
  grep: z.strictObject({
    path,
    pattern: z.string().min(1).max(1000),
    mode: z.enum(["content", "files"]).default("content"),
  }),
  /** A line that a shell reads; with `args` a program that gets them as they are, without a shell. */
  run_command: z.strictObject({
    command: z.string().min(1).max(20_000),
    args: z.array(z.string().max(20_000)).max(64).optional(),
  }),
  write_file: z.strictObject({
    path,
    content: z.string(),
    mode: z.enum(["create", "overwrite", "append"]).default("create"),
  }),
  delete_file: z.strictObject({ path }),
  network_request: z.strictObject({
    url: z.string().min(1),
    method: z.string().optional(),
    headers: z.record(z.string(), z.string()).optional(),
    body: z.string().optional(),
  }),
} as const satisfies Record<CallableTool, z.ZodType>;
