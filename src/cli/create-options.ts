import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { parseChoice, parseText } from "./option-values.ts";

const createTemplates = ["http_request", "python_script", "mcp_tool", "agent_skill", "prompt_tools"] as const;
export type CreateTemplate = (typeof createTemplates)[number];

/** What was typed after `create`. */
export interface CreateFlags {
  name: string;
  fromTemplate: CreateTemplate;
  outputDir: string;
  description?: string | undefined;
  force: boolean;
}

interface Typed {
  name?: string;
  fromTemplate?: CreateTemplate;
  outputDir?: string;
  description?: string;
  force?: true;
  fromOpenapi?: string;
  operation?: string;
}

/** Declares `create`. */
export function declareCreate(program: Command, start: Start): void {
  const command = declareCommand(program, "create", "Create a new skill from a template", [
    "eval-skills create --name my_calc --from-template python_script",
    'eval-skills create --name my-notes --from-template agent_skill --description "Keeps notes"',
    "eval-skills create --name my_api --output-dir ./skills --force",
  ]);
  command
    .option("--name <name>", "name of the skill (required)")
    .option(
      "--from-template <template>",
      "http_request, python_script, agent_skill; mcp_tool and prompt_tools are not in this version (default: http_request)",
      (text) => parseChoice(text, "--from-template", createTemplates),
    )
    .option("--output-dir <dir>", "parent folder (default: ./skills)", (text) =>
      parseText(text, "--output-dir"),
    )
    .option("--description <text>", "what the skill does and when to use it")
    .option("--force", "replace the generated files of an existing folder")
    .option("--from-openapi <file>", "an http skill from an OpenAPI file (not in this version)")
    .option("--operation <id>", "the operation of --from-openapi (not in this version)");
  command.action(async () => {
    const flags = readFlags(command.opts<Typed>());
    await start(command, async (io) => (await import("./create.ts")).createCommand(flags, io));
  });
}

function readFlags(typed: Typed): CreateFlags {
  const { name, fromTemplate = "http_request", outputDir = "./skills", description, force = false } = typed;
  if (typed.fromOpenapi !== undefined || typed.operation !== undefined)
    throw new UserError("usage", "--from-openapi is not in this version");
  if (name === undefined)
    throw new UserError("usage", "--name is missing", {
      hint: "eval-skills create --name my_skill --from-template python_script",
    });
  return { name, fromTemplate, outputDir, description, force };
}
