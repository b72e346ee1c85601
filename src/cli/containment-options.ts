import { Option } from "commander";
import { type SandboxLevel, sandboxLevels } from "../contract/sandbox-level.ts";
import { choiceOption } from "./declare-option.ts";
import { listOf, parseHost } from "./option-values.ts";

/** What says how processes are contained, shared by every command that starts some. */
export interface ContainmentFlags {
  sandbox?: "auto" | SandboxLevel;
  network?: "none" | "open";
  allowNetwork?: string[];
}

export function containmentOptions(): Option[] {
  return [
    choiceOption("--sandbox <level>", `${["auto", ...sandboxLevels].join(", ")} (default: auto)`, [
      "auto",
      ...sandboxLevels,
    ]),
    choiceOption("--network <none|open>", "network of skill processes (default: open, none under strict)", [
      "none",
      "open",
    ]),
    new Option(
      "--allow-network <hosts...>",
      "only these, each host[:port] (443 and 80 when left out), through a proxy",
    ).argParser(listOf((value) => parseHost(value, "--allow-network"))),
  ];
}
