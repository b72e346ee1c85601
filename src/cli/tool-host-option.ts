import type { Option } from "commander";
import { type ToolHostMode, toolHostModes } from "../contract/tool-host.ts";
import { choiceOption } from "./declare-option.ts";

/** What says how tools of skills are hosted, shared by every command that calls some. */
export interface ToolHostFlags {
  toolHost?: ToolHostMode;
}

export function toolHostOption(): Option {
  return choiceOption(
    "--tool-host <fresh|persistent>",
    "a process for every call of a tool, or one for many (default: fresh)",
    toolHostModes,
  );
}
