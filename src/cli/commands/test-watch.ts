import { loadConfig } from "../../config/load-config.ts";
import { typedConfig } from "../../contract/option-table.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import { type TestOptions, testTable } from "../../operations/test/options.ts";
import { testOutput, testPlan } from "../../operations/test/request.ts";
import { watchFiles } from "../../operations/test/watch-files.ts";
import { openWatchedProject } from "../../operations/test/watched-project.ts";
import { UserError } from "../../shared/user-error.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { TestWatch, Wakes } from "./watch-loop.ts";

/** `test --watch`: after the first run, every change of a file runs what is affected, until somebody quits. */
export async function watchTests(options: TestOptions, io: CommandIo): Promise<ExitCode> {
  refuseWithWatch(options, io);
  // What is wrong with the command line or the configuration ends it here.
  const project = await openWatchedProject(() => planNow(options, io));
  const wakes = new Wakes();
  const handlers = (["SIGINT", "SIGTERM"] as const).map((signal) => {
    const handle = () => wakes.push({ type: "quit", signal });
    process.on(signal, handle);
    return () => process.off(signal, handle);
  });
  try {
    await using files = await watchFiles(project.paths, {
      exclude: project.exclude,
      onChange: (changed) => wakes.push({ type: "files", changed }),
      onProblem: (problem) => io.warn(`not every file can be watched: ${problem}`),
    });
    using _ = io.keys?.((key) => wakes.push({ type: "key", key }));
    return await new TestWatch({ options, io, project, files, wakes }).run();
  } finally {
    for (const remove of handlers) remove();
  }
}

function refuseWithWatch({ dryRun, resume, rescore, shard }: TestOptions, { json }: CommandIo): void {
  const typed = {
    "--json": json,
    "--dry-run": dryRun,
    "--resume": resume,
    "--rescore": rescore,
    "--shard": shard,
  };
  for (const [flag, value] of Object.entries(typed))
    if (value !== undefined && value !== false)
      throw new UserError("usage", `--watch and ${flag} cannot be used together`);
}

async function planNow(options: TestOptions, io: CommandIo) {
  const { cwd, env } = io;
  const loaded = await loadConfig({ ...io, flags: typedConfig(testTable, options) });
  const output = testOutput(options, loaded, cwd);
  const { record, replay } = options;
  const { exclude } = makeRunContext({ env, cwd, output, config: loaded.config, record, replay });
  return { plan: testPlan(options, loaded, cwd), exclude: [...exclude, output.runsDir] };
}
