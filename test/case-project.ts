import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadSuites } from "../src/cases/files/load-suites.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Files by path; what is neither text nor bytes is written as JSON, which is YAML too. */
export type CaseFilesByPath = Record<string, unknown>;

/** A project with these files, whose suites can be loaded. */
export async function caseProject(files: CaseFilesByPath) {
  const folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(
      at(name),
      typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    );
  }
  return {
    at,
    load: (...paths: string[]) => loadSuites(paths, { cwd: folder.path, projectRoot: folder.path }),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** A case whose script answers at once. */
export function scriptedCase(id: string) {
  const answer = { action: { type: "final_answer", payload: { content: "done" } } };
  return { id, input: "do it", mock: { turns: [answer] } };
}
