import type { ProbeCheck } from "../contract/sandbox.ts";
import { readProcessFile } from "./host/process-tree.ts";

/** One component of containment, and its status on this machine. */
export interface ContainmentPiece {
  name: string;
  isOk: boolean;
  /** In a word or two: `ok`, `not found`, `refused`. */
  state: string;
  /** The obstacle: the package to install, the setting to change. */
  remedy: string | null;
  note: string | null;
  /** The command that fixes it, if there is one. */
  fix: string | null;
}

/** What is known about a machine on which something was not proven. */
export interface MachineFacts {
  platform: NodeJS.Platform;
  /** Whether there is a filter and a probe for its CPU. */
  cpu: { name: string; isKnown: boolean };
  /** The content of `/etc/os-release`. */
  osRelease: string;
  isRoot: boolean;
  bubblewrap: { isFound: boolean; version: string | null };
  isFilterRefused: boolean;
  hasPrlimit: boolean;
  /** The setting that refuses namespaces to ordinary users. */
  refusingSetting: RefusingSetting | null;
  /** Why no sandbox could be started at all, as reported by whoever refused. */
  refusal: string | null;
  /** The findings of the probe, if one could be started. */
  checks: readonly ProbeCheck[];
}

/** The pieces one by one, in the order in which to fix them. */
export function containmentPieces(facts: MachineFacts): ContainmentPiece[] {
  if (facts.platform !== "linux") return [piece("system", facts.platform, "requires Linux")];
  const rest = unexplained(facts);
  return [
    bubblewrapPiece(facts),
    namespacesPiece(facts),
    filterPiece(facts),
    limitsPiece(facts),
    ...(rest === null ? [] : [piece("probe", "failed", rest)]),
    ...facts.checks
      .filter((check) => !check.ok)
      .map(({ group, name, expected, seen }) =>
        piece(group, expected === "blocked" ? "not blocked" : "does not work", name, seen),
      ),
  ];
}

/** One line for a stamp: what would make containment stronger here. Null where nothing is missing. */
export function strengthenHint(facts: MachineFacts): string | null {
  const missing = containmentPieces(facts).find(({ isOk }) => !isOk);
  if (missing === undefined) return null;
  const { name, state, remedy } = missing;
  if (name === "bubblewrap" && state === "not found")
    return `bubblewrap not installed${remedy === null ? "" : `; try: ${remedy}`}`;
  if (name === "limits" && state === "no prlimit")
    return `prlimit not installed${remedy === null ? "" : `; try: ${remedy}`}`;
  return `${name}: ${state}${remedy === null ? "" : `, ${remedy}`}`;
}

function bubblewrapPiece({ bubblewrap, osRelease, isRoot }: MachineFacts): ContainmentPiece {
  const install = installCommand("bubblewrap", osRelease, isRoot);
  const wanted = "0.8 or newer";
  if (!bubblewrap.isFound) return piece("bubblewrap", "not found", install, wanted, install);
  const { version } = bubblewrap;
  if (version !== null && isOlder(version)) return piece("bubblewrap", version, install, wanted, install);
  return ok("bubblewrap");
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 0 && minor < 8;
}

/** Without bubblewrap nothing was tried, so only a setting can show it. */
function namespacesPiece({ refusingSetting, refusal, bubblewrap, checks }: MachineFacts): ContainmentPiece {
  const name = "user namespaces";
  if (checks.length > 0) return ok(name);
  if (refusingSetting !== null && (!bubblewrap.isFound || isAboutNamespaces(refusal)))
    return piece(name, "refused", refusingSetting.setting, null, refusingSetting.fix);
  if (isAboutNamespaces(refusal))
    return piece(name, "refused", "by the surrounding container: its seccomp profile or its capabilities");
  return ok(name);
}

function filterPiece({ cpu, isFilterRefused }: MachineFacts): ContainmentPiece {
  const name = "seccomp filter";
  if (!cpu.isKnown) return piece(name, "not for CPU", cpu.name);
  return isFilterRefused ? piece(name, "refused", "by the kernel or the surrounding container") : ok(name);
}

function limitsPiece({ hasPrlimit, osRelease, isRoot }: MachineFacts): ContainmentPiece {
  if (hasPrlimit) return ok("limits");
  const install = installCommand("util-linux", osRelease, isRoot);
  return piece("limits", "no prlimit", install, null, install);
}

function isAboutNamespaces(refusal: string | null): boolean {
  return refusal !== null && /namespace|uid map|gid map|RTM_NEWADDR|loopback/i.test(refusal);
}

function unexplained({ refusal }: MachineFacts): string | null {
  return refusal === null || isAboutNamespaces(refusal) ? null : refusal;
}

function ok(name: string): ContainmentPiece {
  return { name, isOk: true, state: "ok", remedy: null, note: null, fix: null };
}

function piece(
  name: string,
  state: string,
  remedy: string | null,
  note: string | null = null,
  fix: string | null = null,
): ContainmentPiece {
  return { name, isOk: false, state, remedy, note, fix };
}

/** A program that containment needs, by the name its package has nearly everywhere. */
type PackageName = "bubblewrap" | "util-linux";

/** The install command for a package on this distribution, or null if unknown. */
export function installCommand(name: PackageName, osRelease: string, isRoot: boolean): string | null {
  const families = distributionFamilies(osRelease);
  const [, command] = installers.find(([names]) => names.some((family) => families.includes(family))) ?? [];
  return command === undefined ? null : `${isRoot ? "" : "sudo "}${command} ${name}`;
}

const installers: readonly (readonly [families: readonly string[], command: string])[] = [
  [["debian", "ubuntu"], "apt-get install"],
  [["fedora", "rhel", "centos", "amzn"], "dnf install"],
  [["arch"], "pacman -S"],
  [["alpine"], "apk add"],
  [["suse", "opensuse", "sles"], "zypper install"],
];

/** The distribution, then those it is like. */
function distributionFamilies(osRelease: string): string[] {
  const readField = (key: string) =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, "m").exec(osRelease)?.[1]?.toLowerCase() ?? "";
  return `${readField("ID")} ${readField("ID_LIKE")}`.split(/\s+/).filter(Boolean);
}

/** A setting of the machine that forbids what bubblewrap is built on. */
interface RefusingSetting {
  /** As shown to the user: `user.max_user_namespaces = 0`. */
  setting: string;
  /** The command that allows it until the next reboot. */
  fix: string;
}

/** The setting that keeps ordinary users from making namespaces, where one does. */
export function refusingSetting(
  read: (name: string) => string | null = readSetting,
  isRoot = process.getuid?.() === 0,
): RefusingSetting | null {
  for (const { name, refusing, allowing } of settings) {
    if (read(name)?.trim() !== refusing) continue;
    const sudo = isRoot ? "" : "sudo ";
    return { setting: `${name} = ${refusing}`, fix: `${sudo}sysctl -w ${name}=${allowing}` };
  }
  return null;
}

const settings = [
  { name: "user.max_user_namespaces", refusing: "0", allowing: "15000" },
  { name: "kernel.unprivileged_userns_clone", refusing: "0", allowing: "1" },
  { name: "kernel.apparmor_restrict_unprivileged_userns", refusing: "1", allowing: "0" },
];

function readSetting(name: string): string | null {
  return readProcessFile(`/proc/sys/${name.replaceAll(".", "/")}`);
}
