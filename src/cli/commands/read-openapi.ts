import { relative, resolve } from "node:path";
import { parseJsonText, parseYamlText, readTextFile } from "../../shared/files/read-text-file.ts";
import type { Json } from "../../shared/json/json.ts";
import { UserError } from "../../shared/user-error.ts";
import { openapiFiles } from "../../templates/from-openapi.ts";
import type { NewSkill, SkillFiles } from "../../templates/shared-files.ts";
import type { CreateFlags } from "./create-options.ts";

const openapiFileCapBytes = 16 * 1024 * 1024;

/** Reads the OpenAPI file that was named and makes the files of a skill out of it. Nothing is fetched. */
export async function filesFromOpenapi(
  skill: NewSkill,
  { fromOpenapi: path = "", operation, outputDir, description }: CreateFlags,
  cwd: string,
): Promise<SkillFiles> {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path))
    throw new UserError("usage", "--from-openapi takes a file, not a URL", {
      path,
      hint: "download it first",
    });
  const file = resolve(cwd, path);
  return openapiFiles(skill, {
    content: await readContent(file, path),
    path,
    specPath: relative(resolve(cwd, outputDir, skill.id), file),
    operation,
    isDescribed: description !== undefined,
  });
}

async function readContent(file: string, path: string): Promise<Json> {
  const text = readTextFile(file, { code: "usage", capBytes: openapiFileCapBytes, shownPath: path });
  const isJson = /\.json$/i.test(path) || (!/\.ya?ml$/i.test(path) && text.trimStart().startsWith("{"));
  return isJson ? (parseJsonText(text, "usage", path) as Json) : parseYamlText(text, "usage", path);
}
