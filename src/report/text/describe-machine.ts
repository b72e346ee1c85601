import type { MachineReport } from "../../contract/document.ts";
import { pluralize } from "../../shared/text/phrases.ts";

/** What decides how fast a run was: `Intel Xeon, 4 cores, 16 GB, linux x64, Node 20.20.2`. */
export function describeMachine(machine: MachineReport): string {
  const { cpu, cores, memoryGb, platform, arch, node } = machine;
  return `${cpu}, ${pluralize(cores, "core")}, ${memoryGb} GB, ${platform} ${arch}, Node ${node}`;
}
