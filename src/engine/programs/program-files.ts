import { readFileSync } from "node:fs";
import type { SuitePrograms } from "../../contract/suite-programs.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { filesNamedBy } from "./program-command.ts";

interface ProgramFile {
  file: string;
  /** Where its command is in the file of the suite. */
  steps: readonly PropertyKey[];
}

/** The files that the programs of a suite are made of. */
export function programFiles(
  { services = {}, setup, teardown }: SuitePrograms,
  suiteFile: string,
): ProgramFile[] {
  const found = (command: string, steps: readonly PropertyKey[]) =>
    filesNamedBy(command, suiteFile).map((file) => ({ file, steps }));
  const list = (commands: string | string[] | undefined, name: string) =>
    typeof commands === "string"
      ? found(commands, [name])
      : (commands ?? []).flatMap((command, at) => found(command, [name, at]));
  return [
    ...Object.entries(services).flatMap(([name, { command }]) =>
      found(command, ["services", name, "command"]),
    ),
    ...list(setup, "setup"),
    ...list(teardown, "teardown"),
  ];
}

/** Programs with what is in their files, as one hash: a cell beside others is another cell. Null where there are none. */
export function programsDigest(programs: SuitePrograms, suiteFile: string): string | null {
  const { services = null, setup = null, teardown = null } = programs;
  if (services === null && setup === null && teardown === null) return null;
  const contents = programFiles(programs, suiteFile).map(({ file }) => sha256(readFileSync(file)));
  return sha256(canonicalJson([services, setup, teardown, contents] as Json));
}
