import type { Containment } from "../../contract/containment.ts";
import type { Options } from "../../contract/option-table.ts";
import type { containmentRows } from "../../engine/common-options.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { type ContainmentOptions, commonOutput, containmentOptions } from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import type { ToolCheckContext } from "../../operations/tools/check-tools.ts";
import type { ProjectSkills } from "../../operations/tools/named-skill.ts";
import { describeContainment } from "../../report/view/describe-containment.ts";
import type { CommandIo } from "../io/command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "../io/exit-codes.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";

/** What commands about tools need of the configuration and of what is context them. */
export interface ToolCommand {
  containment: ContainmentOptions;
  concurrency: number;
  project: ProjectSkills;
  context: ToolCheckContext;
}

/** Does the work of a command about tools, until it is done or interrupted. */
export async function withTools(
  { sandbox }: Pick<Options<typeof containmentRows>, "sandbox">,
  io: CommandIo,
  work: (command: ToolCommand) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadCommandConfig(io);
  const { config } = loaded;
  const { env, cwd, warn } = io;
  const output = commonOutput({ evalLog: null }, loaded, cwd);
  const { exclude } = makeRunContext({ env, cwd, output, config });
  using interrupt = listenForInterrupt();
  try {
    return await work({
      containment: containmentOptions(sandbox, loaded),
      concurrency: config.concurrency,
      project: { roots: config.skills.roots, cwd, note: once(io.note) },
      context: {
        env,
        exclude,
        warn,
        signal: interrupt.signal,
        onContainment(containment: Containment) {
          if (containment.level !== "strict") warn(describeContainment(containment));
        },
      },
    });
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: all tools were stopped, nothing was saved");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}

/** Two tools of one skill are two words with the same to say. */
function once(note: (text: string) => void): (text: string) => void {
  const noted = new Set<string>();
  return (text) => {
    if (!noted.has(text)) note(text);
    noted.add(text);
  };
}
