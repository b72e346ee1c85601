import { extname } from "node:path";
import type { Expect } from "../../contract/agent-case.ts";
import type { JsonSchema } from "../../contract/json.ts";
import type { LoadedAgentCase } from "../../contract/loaded-case.ts";
import { UserError } from "../../contract/user-error.ts";
import { parseJsonText } from "../read-json-file.ts";
import { readTextFile } from "../read-text-file.ts";
import type { CaseFiles } from "./case-files.ts";
import type { Teller } from "./raw-case.ts";

type Expected = Pick<LoadedAgentCase, "expectedFiles" | "outputSchema">;

/** Finds the files that `expect` names, and reads the schema of the output. */
export function findExpected(
  { expect }: { expect: Pick<Expect, "output"> & Partial<Pick<Expect, "files">> },
  dir: string,
  files: CaseFiles,
  tell: Teller,
): Expected {
  const paths = new Map<string, string>();
  const find = (words: string | undefined, steps: readonly PropertyKey[]) => {
    if (words === undefined) return;
    const found = files.file(words, dir);
    if (!found.ok) throw tell.fault(steps, found.problem);
    paths.set(words, found.path);
  };
  find(expect.output?.equals_file, ["expect", "output", "equals_file"]);
  for (const [index, { equals }] of (expect.files ?? []).entries())
    find(equals, ["expect", "files", index, "equals"]);
  return {
    expectedFiles: Object.fromEntries(paths),
    outputSchema: readSchema(expect.output?.json_schema, dir, files, tell),
  };
}

const schemaCapBytes = 1024 * 1024;

function readSchema(
  asked: string | JsonSchema | undefined,
  dir: string,
  files: CaseFiles,
  tell: Teller,
): JsonSchema | undefined {
  if (asked === undefined) return undefined;
  const steps = ["expect", "output", "json_schema"];
  const schema = typeof asked === "string" ? readSchemaFile(asked, dir, files, tell) : asked;
  const problem = files.problemWithSchema(schema);
  if (problem !== null) throw tell.fault(steps, `is no JSON Schema: ${problem}`);
  return schema;
}

function readSchemaFile(words: string, dir: string, files: CaseFiles, tell: Teller): JsonSchema {
  const steps = ["expect", "output", "json_schema"];
  const found = files.file(words, dir);
  if (!found.ok) throw tell.fault(steps, found.problem);
  const shown = `names ${words}, which`;
  try {
    const rules = { code: "case-invalid", capBytes: schemaCapBytes, shownPath: shown } as const;
    if (extname(found.path) !== ".json") throw new UserError("case-invalid", `${shown} is no .json file`);
    return parseJsonText(readTextFile(found.path, rules), "case-invalid", shown) as JsonSchema;
  } catch (error) {
    throw error instanceof UserError ? tell.fault(steps, error.message) : error;
  }
}
