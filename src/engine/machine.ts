import { availableParallelism, cpus, totalmem } from "node:os";
import type { MachineReport } from "../contract/document.ts";
import { canonicalJson, sha256 } from "../shared/json/canonical-json.ts";

/** What of this machine decides how fast skills run. Machines of the same kind have the same fingerprint: it identifies nobody. */
export function describeMachine(): MachineReport {
  const facts = {
    cpu: (cpus()[0]?.model ?? "").replace(/\s+/g, " ").trim() || "unknown",
    // As many as this process may use, which in a container is fewer than there are.
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    platform: process.platform,
    arch: process.arch,
    node: process.versions.node,
  };
  return { fingerprint: sha256(canonicalJson(facts)), ...facts };
}
