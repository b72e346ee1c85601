import { join } from "node:path";
import { writtenPath } from "../../shared/files/written-path.ts";
import { visibleText } from "../../shared/text/visible-text.ts";
import { agentSkillFiles } from "../../templates/agent-skill.ts";
import { httpRequestFiles } from "../../templates/http-request.ts";
import { mcpToolFiles } from "../../templates/mcp-tool.ts";
import { nameSkill } from "../../templates/name-skill.ts";
import { promptToolsFiles } from "../../templates/prompt-tools.ts";
import { pythonScriptFiles } from "../../templates/python-script.ts";
import type { NewSkill, SkillFiles } from "../../templates/shared-files.ts";
import { writeSkillFolder } from "../../templates/write-skill-folder.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import type { CreateFlags, CreateTemplate } from "./create-options.ts";

/** `create`: a new skill from a template. Its folder appears complete or not at all. */
export async function createCommand(flags: CreateFlags, io: CommandIo): Promise<ExitCode> {
  const skill = nameSkill(flags);
  const files =
    flags.fromOpenapi === undefined
      ? templateFiles(flags.fromTemplate, skill)
      : await (await import("./read-openapi.ts")).filesFromOpenapi(skill, flags, io.cwd);
  writeSkillFolder(writtenPath(flags.outputDir, io.cwd), skill.id, files, flags.force === true);

  const path = join(flags.outputDir, skill.id);
  const paths = Object.keys(files).map((name) => join(path, name));
  io.result(
    { id: skill.id, path, files: paths },
    paths.map((file) => `created  ${visibleText(file)}`).join("\n"),
  );
  io.note(`next: ${serverFirst(files)}eval-skills test ${path}`);
  return 0;
}

/** What has to be there before a skill behind HTTP can answer. */
function serverFirst(files: SkillFiles): string {
  const { baseUrl } = JSON.parse(files["adapter.config.json"] ?? "{}") as { baseUrl?: string };
  if (baseUrl === undefined) return "";
  const isHere = /^(localhost|127\..*|\[::1\])$/.test(new URL(baseUrl).hostname);
  return isHere ? `start your server on ${baseUrl} first, then: ` : `make sure ${baseUrl} responds, then: `;
}

function templateFiles(template: CreateTemplate, skill: NewSkill): SkillFiles {
  switch (template) {
    case "http_request":
      return httpRequestFiles(skill);
    case "python_script":
      return pythonScriptFiles(skill);
    case "agent_skill":
      return agentSkillFiles(skill);
    case "mcp_tool":
      return mcpToolFiles(skill);
    case "prompt_tools":
      return promptToolsFiles(skill);
    default:
      return template satisfies never;
  }
}
