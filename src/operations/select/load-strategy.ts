import { extname } from "node:path";
import { Strategy } from "../../contract/strategy.ts";
import { checkDocument } from "../../shared/files/check-document.ts";
import { readJsonFile } from "../../shared/files/read-json-file.ts";
import { readYamlFile } from "../../shared/files/read-yaml.ts";

const code = "strategy-invalid";

/** Reads a strategy from a YAML or JSON file. An empty file demands nothing. */
export async function loadStrategy(
  path: string,
  shownPath: string = path,
): Promise<{ strategy: Strategy; warnings: string[] }> {
  const isJson = extname(path).toLowerCase() === ".json";
  const content = isJson ? readJsonFile(path, code, shownPath) : await readYamlFile(path, code, shownPath);
  const { value, warnings } = checkDocument(content ?? {}, Strategy, { path: shownPath, code });
  return { strategy: value, warnings };
}
