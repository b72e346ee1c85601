import type { OutputContract } from "../../contract/output-contract.ts";
import type { LoadedBench, LoadedBenchCase } from "../../contract/planbench-file.ts";
import type { Violation } from "../../contract/violation.ts";
import { compileContract } from "../../scorers/output-contract.ts";
import { UserError } from "../../shared/user-error.ts";

/** Says what of the output contract of a case does not hold. */
export type OutputCheck = (output: string) => Violation[];

/** Makes the checks of a bench: what holds for all its cases is compiled once, what a case adds by itself. */
export function outputChecks({ file, schema, shown }: LoadedBench): (one: LoadedBenchCase) => OutputCheck {
  const ready = (contract: OutputContract) => {
    const compiled = compileContract(contract);
    if (compiled.ok) return compiled.check;
    throw new UserError("benchmark-invalid", `${shown}: ${compiled.problem}`, { path: shown });
  };
  const general = ready({
    markers: file.markers,
    maxChars: file.max_chars ?? null,
    schemas: [{ name: schema.name, schema: schema.value }],
  });
  return ({ id, overlay }) => {
    if (overlay === undefined) return general;
    const special = ready({
      markers: [],
      maxChars: null,
      schemas: [{ name: `overlay of ${id}`, schema: overlay }],
    });
    return (output) => distinct([...general(output), ...special(output)]);
  };
}

/** What is no JSON at all is told by both. */
function distinct(violations: readonly Violation[]): Violation[] {
  return [...new Map(violations.map((one) => [JSON.stringify([one.pointer, one.reason]), one])).values()];
}
