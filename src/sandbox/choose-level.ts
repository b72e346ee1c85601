import type { SandboxLevel } from "../contract/limits.ts";
import { UserError } from "../shared/user-error.ts";
import type { ContainmentPiece } from "./containment-pieces.ts";

/** The minimum containment that a file accepts. */
export interface Floor {
  level: "reduced" | "strict";
  file: string;
}

export interface ContainmentDemand {
  /** As requested on the command line. */
  level: "auto" | SandboxLevel;
  floors: readonly Floor[];
  network: "none" | "open" | null;
  allowNetwork: readonly string[];
}

/** What a run requests, before the machine is probed. */
export interface RequestedContainment {
  level: "auto" | SandboxLevel;
  /** What must be proven, and who demands it; null if the run accepts any level. */
  least: LeastDemand | null;
  network: "open" | "none" | readonly string[];
  /** Who demands a closed network, if anyone. */
  closedBecause: string | null;
}

interface LeastDemand {
  level: "reduced" | "strict";
  because: string;
  /** The file that demands it, unless it is the command line. */
  file: string | null;
}

/** What a probe proved for the requested network. */
export interface ProvenLevel {
  level: "strict" | "reduced" | "process";
  pieces: readonly ContainmentPiece[];
}

/** Combines the flag and the floors. A flag weaker than a floor is refused: the command line cannot weaken a file. */
export function requestedContainment(demand: ContainmentDemand): RequestedContainment {
  const { level, network, allowNetwork } = demand;
  const floor = demand.floors.find((floor) => floor.level === "strict") ?? demand.floors[0] ?? null;
  if (floor !== null && isWeaker(level, floor)) {
    throw refusal(
      `--sandbox ${level} is weaker than ${floor.level}, the floor set in ${floor.file}`,
      `drop --sandbox, or use --sandbox ${floor.level}`,
      { path: floor.file },
    );
  }
  const least = levelDemand(level) ?? (floor === null ? null : floorDemand(floor));
  const isStrict = least?.level === "strict";
  if (allowNetwork.length > 0 && network === "open")
    throw new UserError("usage", "an open network and --allow-network cannot be combined; use one of them");
  if (allowNetwork.length > 0)
    return { level, least, network: allowNetwork, closedBecause: "--allow-network" };
  if (network !== null)
    return { level, least, network, closedBecause: network === "none" ? "--network none" : null };
  return { level, least, network: isStrict ? "none" : "open", closedBecause: null };
}

/** The level a run gets, or a refusal: what was demanded and cannot be proven is never quietly weakened. */
export function chooseLevel(requested: RequestedContainment, proven: ProvenLevel | null): SandboxLevel {
  const level =
    requested.level === "process" || requested.level === "off"
      ? requested.level
      : (proven?.level ?? "process");
  const { least } = requested;
  if (least !== null && !reaches(level, least.level)) {
    const wayOut =
      least.file === null
        ? "On a throw-away machine `--sandbox auto` uses what is available and records the level with each result."
        : "On a throw-away machine remove the floor from that file; each result then records its level.";
    throw refusal(
      `${least.because} but cannot be proven here`,
      `\`eval-skills doctor\` lists every check. ${wayOut}`,
      { path: least.file ?? undefined, pieces: proven?.pieces },
    );
  }
  if (requested.network !== "open" && !reaches(level, "reduced")) {
    throw refusal(
      `${requested.closedBecause} needs a sandbox that can restrict the network, and level ${level} cannot`,
      "drop it to run with an open network, which every result then records",
      { pieces: proven?.pieces },
    );
  }
  return level;
}

function levelDemand(level: ContainmentDemand["level"]): LeastDemand | null {
  if (level !== "strict" && level !== "reduced") return null;
  return { level, because: `${level} containment was requested`, file: null };
}

function floorDemand({ level, file }: Floor): LeastDemand {
  return { level, because: `${level} containment is required by ${file}`, file };
}

const order: readonly SandboxLevel[] = ["off", "process", "reduced", "strict"];

function reaches(level: SandboxLevel, least: SandboxLevel): boolean {
  return order.indexOf(level) >= order.indexOf(least);
}

function isWeaker(level: ContainmentDemand["level"], floor: Floor): boolean {
  return level !== "auto" && !reaches(level, floor.level);
}

function refusal(
  what: string,
  hint: string,
  { path, pieces = [] }: { path?: string | undefined; pieces?: readonly ContainmentPiece[] | undefined },
): UserError {
  const lines = [`E_SANDBOX_UNAVAILABLE: ${what}. Nothing was run.`, ...pieces.map(pieceLine)];
  return new UserError("sandbox-unavailable", lines.join("\n"), { path, hint });
}

/** Name, state, remedy and note, in aligned columns. */
function pieceLine({ name, state, remedy, note }: ContainmentPiece): string {
  const columns = [column(name, 18), column(state, 16)];
  if (note === null) columns.push(remedy ?? "");
  else columns.push(column(remedy ?? "", 39), `(${note})`);
  return `  ${columns.join("").trimEnd()}`;
}

function column(text: string, width: number): string {
  return text.padEnd(Math.max(width, text.length + 2));
}
