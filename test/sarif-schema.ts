import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { Ajv, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";

const require = createRequire(import.meta.url);

/** Checks a document against the schema of SARIF 2.1.0. */
export function sarifCheck(): ValidateFunction {
  const file = require.resolve("@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
  // Draft 04 calls it `id`; its patterns were written before regular expressions knew Unicode.
  const { $schema: _, id: __, ...schema } = JSON.parse(readFileSync(file, "utf8"));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  addFormats.default(ajv);
  return ajv.compile(schema);
}
