import type { AgentReplayFlags } from "./agent-replay-options.ts";
import type { CommandIo } from "./command-io.ts";
import type { ExitCode } from "./exit-codes.ts";

export async function agentReplayCommand(_flags: AgentReplayFlags, _io: CommandIo): Promise<ExitCode> {
  return 3;
}
