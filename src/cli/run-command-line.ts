import { Command, CommanderError } from "commander";
import { refuseTightAddressSpace, toUserError } from "../shared/user-error.ts";
import { declareAgent } from "./commands/agent-options.ts";
import { declareAudit } from "./commands/audit-options.ts";
import { declareCatalog } from "./commands/catalog-options.ts";
import { declareCompletion } from "./commands/completion-options.ts";
import { declareConfig } from "./commands/config-options.ts";
import { declareCreate } from "./commands/create-options.ts";
import { declareEval, declarePlanbench, declareTest, declareTrigger } from "./commands/declare-levels.ts";
import { declareDoctor } from "./commands/doctor-options.ts";
import { declareFind } from "./commands/find-options.ts";
import { declareHistory } from "./commands/history-options.ts";
import { declareInit } from "./commands/init-options.ts";
import { declareReport } from "./commands/report-options.ts";
import { declareRoute } from "./commands/route-options.ts";
import { declareRun } from "./commands/run-options.ts";
import { declareSchema } from "./commands/schema-options.ts";
import { declareSelect } from "./commands/select-options.ts";
import { declareStore } from "./commands/store-options.ts";
import { declareTask } from "./commands/task-options.ts";
import { declareTelemetry } from "./commands/telemetry-options.ts";
import { declareTool } from "./commands/tool-options.ts";
import { declareTrust } from "./commands/trust-options.ts";
import {
  type CommandIo,
  commandIo,
  type ExitCode,
  type GlobalFlags,
  type ProcessContext,
} from "./io/command-io.ts";
import { addGlobalOptions, commandName, readGlobalFlags, type Start } from "./io/declare-command.ts";
import { printFailure } from "./io/output.ts";
import { trustedSearchPath } from "./io/search-path.ts";
import { usageError } from "./io/usage-error.ts";

/** Runs a command line and returns its exit code. Never throws. */
export async function runCommandLine(argv: readonly string[], given: ProcessContext): Promise<ExitCode> {
  const PATH = trustedSearchPath(given.env.PATH ?? "", given);
  const context = { ...given, env: { ...given.env, PATH } };
  const printed = { help: "" };
  let exitCode: ExitCode = 0;
  let running: CommandIo | null = null;
  const start: Start = async (command, run, flags) => {
    running = commandIo(context, { ...readGlobalFlags(command), flags }, commandName(command));
    refuseTightAddressSpace();
    await checkNamedConfig(running);
    exitCode = await runOrOffer(run, running, argv);
  };
  const program = declareProgram(start, printed);
  let current: Command = program;
  for (const parent of [program, ...program.commands])
    parent.hook("preSubcommand", (_, command) => {
      current = command;
    });
  try {
    await program.parseAsync(argv, { from: "user" });
    return exitCode;
  } catch (error) {
    const io = running ?? commandIo(context, scanGlobalFlags(argv), commandName(current));
    if (!(error instanceof CommanderError)) return printFailure(io, error);
    if (error.code === "commander.version") return answer(io, { version: error.message }, error.message);
    const isBare = error.code === "commander.help" && program.args.length === 0;
    if (isBare && (await (await import("./commands/overview.ts")).showOverview(io))) return 0;
    if (error.exitCode === 0 || isBare) return answer(io, { help: printed.help }, printed.help);
    const isMissingCommand = error.code === "commander.help" && current !== program;
    if (isMissingCommand && !io.json) io.note(printed.help.trimEnd());
    return printFailure(io, usageError(error, current));
  }
}

/** Runs a command. One that is refused because nobody granted what files ask for is offered to the person at the terminal. */
async function runOrOffer(run: (io: CommandIo) => Promise<ExitCode>, io: CommandIo, argv: readonly string[]) {
  try {
    return await run(io);
  } catch (error) {
    if (toUserError(error)?.code !== "grant-missing") throw error;
    const { answerRefusal } = await import("./commands/answer-refusal.ts");
    return answerRefusal(error, { run, io, argv });
  }
}

/** Not every command reads the configuration, but an unusable `--config` file is an error for all of them. */
async function checkNamedConfig(io: CommandIo): Promise<void> {
  if (io.configPath !== undefined) await (await import("../config/load-config.ts")).loadConfig(io);
}

/** Prints an uncaught exception. Once a document is on stdout, a second one must not follow. */
export function printCrash(
  error: unknown,
  argv: readonly string[],
  context: ProcessContext,
  hasWritten: boolean,
): ExitCode {
  const globals = scanGlobalFlags(argv);
  return printFailure(commandIo(context, { ...globals, json: globals.json && !hasWritten }, null), error);
}

function declareProgram(start: Start, printed: { help: string }): Command {
  const collect = (text: string) => {
    printed.help += text;
  };
  const program = new Command("eval-skills")
    .description("The test runner for AI agent skills")
    .enablePositionalOptions()
    .showSuggestionAfterError(false)
    .configureOutput({
      writeOut: collect,
      writeErr: collect,
      outputError: () => {},
      getOutHasColors: () => false,
    })
    .helpCommand("help [command]", "show help for a command")
    .exitOverride()
    .addHelpText("after", `\nExamples:\n${examples.map((line) => `  $ ${line}`).join("\n")}`);
  addGlobalOptions(program);
  for (const [heading, declarations] of Object.entries(commands)) {
    program.commandsGroup(heading);
    for (const declare of declarations) declare(program, start);
  }
  return program;
}

/** In the order users need them. */
const commands: Record<string, readonly ((program: Command, start: Start) => void)[]> = {
  "Get started:": [declareInit, declareCreate],
  "Evaluate:": [
    declareTest,
    declareEval,
    declareTrigger,
    declareAgent,
    declareTool,
    declarePlanbench,
    declareTask,
    declareDoctor,
    declareAudit,
  ],
  "Find and select:": [declareFind, declareRoute, declareCatalog, declareSelect, declareRun],
  "Results:": [declareReport, declareHistory, declareTelemetry],
  "Configuration and data:": [declareConfig, declareTrust, declareSchema, declareStore, declareCompletion],
};

const examples = [
  "eval-skills init --dir .",
  "eval-skills create --name my_calc --from-template python_script",
  "eval-skills test",
];

function answer(io: CommandIo, document: object, text: string): ExitCode {
  io.result(document, text);
  return 0;
}

/** The global flags of a command line that could not be parsed. */
function scanGlobalFlags(argv: readonly string[]): GlobalFlags {
  const end = argv.indexOf("--");
  const words = end === -1 ? argv : argv.slice(0, end);
  return {
    json: words.includes("--json") || asksForJson(words),
    verbose: words.includes("--verbose") || words.includes("-v"),
    color: !words.includes("--no-color"),
  };
}

/** `task --output json` is another way to say `--json`. */
function asksForJson(words: readonly string[]): boolean {
  if (!words.includes("task")) return false;
  return words.includes("--output=json") || words[words.indexOf("--output") + 1] === "json";
}
