import type { Diagnosis } from "../../contract/diagnosis.ts";
import { programReach } from "../../sandbox/bind-mounts.ts";
import { diagnoseOrphans } from "../../sandbox/diagnose-orphans.ts";
import type { ContainmentProof } from "../../sandbox/prove-containment.ts";
import { diagnoseStore, newestRunIn } from "../../store/diagnose-store.ts";
import { diagnoseContainment } from "./diagnose-containment.ts";
import { diagnoseClock, diagnoseLoopback, diagnoseNode } from "./diagnose-machine.ts";
import { diagnosePrograms } from "./diagnose-programs.ts";
import { diagnoseProject, type LoadedFiles } from "./diagnose-project.ts";

export interface Patient {
  cwd: string;
  home: string;
  env: NodeJS.ProcessEnv;
  /** Where runs are kept, whole path. */
  store: string;
  loadConfig: () => Promise<LoadedFiles>;
  proof: ContainmentProof;
}

/** Looks at everything a run needs of this machine. Nothing is changed, and nothing of a skill is run. */
export async function diagnose({ cwd, home, env, store, loadConfig, proof }: Patient): Promise<Diagnosis[]> {
  // Only root has its skills run as somebody else.
  const isDropped = proof.bubblewrap !== null && process.getuid?.() === 0;
  return [
    ...diagnoseContainment(proof, process.platform),
    ...(await diagnosePrograms(cwd, env, isDropped ? programReach(env) : () => true)),
    ...(await diagnoseStore(store)),
    ...(await diagnoseProject(cwd, home, loadConfig)),
    diagnoseNode(process.version),
    diagnoseClock({
      nowMs: Date.now(),
      newestRun: await newestRunIn(store),
      driftMs: Date.now() - (performance.timeOrigin + performance.now()),
    }),
    await diagnoseLoopback(),
    diagnoseOrphans(),
  ];
}
