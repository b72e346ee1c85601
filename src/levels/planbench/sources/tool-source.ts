import type { HostedTool, ToolHosts } from "../../../contract/tool-host.ts";
import { toolDeadlineMs } from "../../../contract/tool-host.ts";
import type { JsonObject } from "../../../shared/json/json.ts";
import type { PlanSource } from "./plan-source.ts";

export interface ToolSourceOptions {
  hosts: ToolHosts;
  tool: HostedTool;
  arguments: JsonObject;
  /** Whether the files of the skill are still those that were planned with. */
  isUnchanged(): boolean | Promise<boolean>;
}

/** A tool of a skill that makes plans by itself. It is called once: it cannot repair. */
export function toolSource({ hosts, tool, arguments: given, isUnchanged }: ToolSourceOptions): PlanSource {
  return {
    canRepair: false,
    async generate(_attempt, _repair, signal) {
      const limits = { deadlineMs: tool.timeoutMs ?? toolDeadlineMs, signal };
      const outcome = await hosts.call({ tool, arguments: given, document: null }, limits);
      const ms = outcome.latencyMs;
      if (!(await isUnchanged()))
        return {
          status: "failed",
          cause: "skill-changed",
          message: `${tool.skill.id} changed during the run`,
          ms,
        };
      switch (outcome.status) {
        case "answered": {
          const output = JSON.stringify(outcome.output);
          return { status: "generated", output, ms, tokens: null, answeredBy: null };
        }
        case "timed-out":
          return { status: "refused", message: `timeout: ${outcome.message}`, ms };
        case "failed":
          return { status: "refused", message: `${outcome.cause}: ${outcome.message}`, ms };
        case "invalid":
          return { status: "failed", cause: outcome.cause, message: outcome.message, ms };
        default:
          return outcome satisfies never;
      }
    },
  };
}
