import type { Command } from "commander";
import { type Options, type OptionTable, row } from "../../contract/option-table.ts";
import { UserError } from "../../shared/user-error.ts";
import { addAction, declareCommand, type Start } from "../io/declare-command.ts";
import { anyText } from "../io/option-values.ts";

const createTemplates = ["http_request", "python_script", "mcp_tool", "agent_skill", "prompt_tools"] as const;
export type CreateTemplate = (typeof createTemplates)[number];

const createTable = {
  name: row.text("--name <name>", "name of the skill (required)", {
    parse: anyText,
    required: "eval-skills create --name my_skill --from-template python_script",
  }),
  fromTemplate: row.choice(
    "--from-template <template>",
    "http_request, python_script, mcp_tool, agent_skill or prompt_tools",
    { choices: createTemplates, default: "http_request" },
  ),
  outputDir: row.text("--output-dir <dir>", "parent folder", { default: "./skills" }),
  description: row.text("--description <text>", "what the skill does and when to use it", { parse: anyText }),
  force: row.switch("--force", "replace the generated files of an existing folder"),
  fromOpenapi: row.text(
    "--from-openapi <file>",
    "create an http skill from an OpenAPI 3.0 or 3.1 file (JSON or YAML)",
  ),
  operation: row.text("--operation <id>", "operation to use if the file has several"),
} satisfies OptionTable;

export type CreateFlags = Options<typeof createTable>;

export function declareCreate(program: Command, start: Start): void {
  const command = declareCommand(program, "create", "Create a new skill from a template", [
    "eval-skills create --name my_calc --from-template python_script",
    'eval-skills create --name my-notes --from-template agent_skill --description "Keeps notes"',
    "eval-skills create --name my_server --from-template mcp_tool",
    'eval-skills create --name my_prompt --from-template prompt_tools --description "Reads back what was said"',
    "eval-skills create --name my_api --output-dir ./skills --force",
    "eval-skills create --name my_search --from-openapi ./openapi.yaml --operation search",
  ]);
  addAction(command, createTable, start, async (options, io) => {
    checkSource(options);
    return (await import("./create.ts")).createCommand(options, io);
  });
}

function checkSource({ fromTemplate, fromOpenapi, operation }: CreateFlags): void {
  if (operation !== undefined && fromOpenapi === undefined)
    throw new UserError("usage", "--operation requires --from-openapi", {
      hint: "add --from-openapi <file>",
    });
  if (fromOpenapi !== undefined && fromTemplate !== "http_request")
    throw new UserError("usage", `--from-openapi creates an http skill, not ${fromTemplate}`, {
      hint: "remove --from-template",
    });
}
