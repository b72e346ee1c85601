import type { Diagnosis } from "../../contract/findings.ts";
import { type ProbeCheck, type ProbeGroup, probeGroups } from "../../contract/sandbox.ts";
import type { ContainmentPiece } from "../../sandbox/containment-pieces.ts";
import type { ContainmentProof } from "../../sandbox/prove-containment.ts";

/** What `doctor` reports about containment: the level reached here, what is missing, and the probe by group. */
export function diagnoseContainment(proof: ContainmentProof, platform: NodeJS.Platform): Diagnosis[] {
  // On other platforms there is nothing to install.
  const missing = platform === "linux" ? "bad" : "note";
  const explained = new Set(proof.checks.filter(({ ok }) => !ok).map(({ group }) => group as string));
  const pieces = proof.pieces.filter(({ isOk, name }) => !isOk && !explained.has(name));
  return [
    levelLine(proof),
    ...pieces.map((piece) => pieceLine(piece, missing)),
    ...probeGroups.flatMap((group) => groupLines(group, proof.checks, missing)),
  ];
}

function levelLine({ level }: ContainmentProof): Diagnosis {
  switch (level) {
    case "strict":
      return line("level", "ok", "strict, proven by a probe just now");
    case "reduced":
      return line("level", "note", "reduced: partly contained; every result records what is not");
    case "process":
      return line(
        "level",
        "note",
        "process: skills run with your permissions, and every result records that",
      );
    default:
      return level satisfies never;
  }
}

function pieceLine(piece: ContainmentPiece, missing: Diagnosis["state"]): Diagnosis {
  const { name, state, remedy, note, fix } = piece;
  const words = [state, remedy === fix ? null : remedy, note].filter((word) => word !== null);
  return line(name, missing, words.join(", "), fix ?? remedies[name] ?? null);
}

/** For problems that no package of the distribution fixes. */
const remedies: Partial<Record<string, string>> = {
  "user namespaces": "docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined …",
  probe: "TMPDIR=/var/tmp eval-skills doctor --json   # if that does not help, report its output",
};

/** One line for a group that passed, else one for each failed check. */
function groupLines(group: ProbeGroup, all: readonly ProbeCheck[], missing: Diagnosis["state"]): Diagnosis[] {
  const checks = all.filter((check) => check.group === group);
  if (checks.length === 0) return [];
  const failed = checks.filter(({ ok }) => !ok);
  if (failed.length === 0) return [line(group, "ok", `${checks.length} of ${checks.length} checks passed`)];
  return failed.map(({ name, expected, seen }) => {
    const found = `${name}: ${expected === "blocked" ? "not blocked" : "does not work"}`;
    return line(group, missing, seen === null ? found : `${found} (${seen})`, updateFix);
  });
}

const updateFix = "update bubblewrap and the kernel; eval-skills doctor --json has every check";

function line(name: string, state: Diagnosis["state"], found: string, fix: string | null = null): Diagnosis {
  return { topic: "containment", name, state, found, fix };
}
