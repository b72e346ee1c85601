import { environmentChecks } from "./environment-checks.ts";
import type { ProbeCall } from "./executable.ts";
import { fileChecks } from "./file-checks.ts";
import { limitChecks } from "./limit-checks.ts";
import { networkChecks } from "./network-checks.ts";
import type { PlannedCheck } from "./planned-check.ts";
import { enterUserNamespace, privilegeChecks } from "./privilege-checks.ts";
import type { ProbeSetting } from "./probe-setting.ts";
import { daemonStart, processChecks } from "./process-checks.ts";

/** Everything a probe tries, in an order in which no check disturbs a later one. */
export function planChecks(setting: ProbeSetting): { checks: PlannedCheck[]; calls: ProbeCall[] } {
  const { network } = setting.bait;
  const before = [
    ...fileChecks(setting),
    ...environmentChecks(setting),
    ...(network === null ? [] : networkChecks(network, setting.proxyPort)),
    ...processChecks(setting),
    ...privilegeChecks(setting),
  ];
  const after = [...limitChecks(setting), enterUserNamespace()];
  const callsOf = (checks: readonly PlannedCheck[]) => checks.flatMap(({ calls }) => calls);
  return { checks: [...before, ...after], calls: [...callsOf(before), ...daemonStart(), ...callsOf(after)] };
}
