import type { Command } from "commander";
import { UserError } from "../contract/user-error.ts";
import { declareCommand, type Start } from "./declare-command.ts";
import { choiceOption, textOption } from "./declare-option.ts";

const createTemplates = ["http_request", "python_script", "mcp_tool", "agent_skill", "prompt_tools"] as const;
export type CreateTemplate = (typeof createTemplates)[number];

/** What was typed after `create`. */
export interface CreateFlags {
  name: string;
  fromTemplate: CreateTemplate;
  outputDir: string;
  description?: string | undefined;
  force: boolean;
  /** An OpenAPI file that takes the place of the template, and which of its operations. */
  fromOpenapi?: string | undefined;
  operation?: string | undefined;
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
    "eval-skills create --name my_server --from-template mcp_tool",
    'eval-skills create --name my_prompt --from-template prompt_tools --description "Reads back what was said"',
    "eval-skills create --name my_api --output-dir ./skills --force",
    "eval-skills create --name my_search --from-openapi ./openapi.yaml --operation search",
  ]);
  command
    .option("--name <name>", "name of the skill (required)")
    .addOption(
      choiceOption(
        "--from-template <template>",
        "http_request, python_script, mcp_tool, agent_skill or prompt_tools (default: http_request)",
        createTemplates,
      ),
    )
    .addOption(textOption("--output-dir <dir>", "parent folder (default: ./skills)"))
    .option("--description <text>", "what the skill does and when to use it")
    .option("--force", "replace the generated files of an existing folder")
    .addOption(
      textOption("--from-openapi <file>", "an http skill from an OpenAPI 3.0 or 3.1 file, JSON or YAML"),
    )
    .addOption(textOption("--operation <id>", "which operation of the file, where it has several"));
  command.action(async () => {
    const flags = readFlags(command.opts<Typed>());
    await start(command, async (io) => (await import("./create.ts")).createCommand(flags, io));
  });
}

function readFlags(typed: Typed): CreateFlags {
  const { name, fromTemplate = "http_request", outputDir = "./skills", description, force = false } = typed;
  const { fromOpenapi, operation } = typed;
  if (name === undefined)
    throw new UserError("usage", "--name is missing", {
      hint: "eval-skills create --name my_skill --from-template python_script",
    });
  if (operation !== undefined && fromOpenapi === undefined)
    throw new UserError("usage", "--operation chooses from an OpenAPI file", {
      hint: "name it with --from-openapi",
    });
  if (fromOpenapi !== undefined && fromTemplate !== "http_request")
    throw new UserError("usage", `--from-openapi makes an http skill, not ${fromTemplate}`, {
      hint: "leave out --from-template",
    });
  return { name, fromTemplate, outputDir, description, force, fromOpenapi, operation };
}
