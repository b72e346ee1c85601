import { mustNotShow, type PlannedCheck, subjectsOf } from "./planned-check.ts";
import type { ProbeSetting } from "./probe-setting.ts";

const environment = subjectsOf("environment");

/** Where a variable of the runner could be read. */
export function environmentChecks({ bait: { canary, hostPid } }: ProbeSetting): PlannedCheck[] {
  const variablesOf = (pid: string | number) => [`/proc/${pid}/environ`];
  return [
    mustNotShow(environment("read the runner's variables in its own"), variablesOf("self"), canary),
    mustNotShow(environment("read the runner's variables in process 1"), variablesOf(1), canary),
    mustNotShow(environment("read the variables of another process"), variablesOf(hostPid), canary),
  ];
}
