import type { Exclusion, RoutableSkill, RoutingFilters } from "../contract/routing.ts";

/** Why a skill is excluded from routing, whatever the request; null if it is not. */
export function findExclusion(
  skill: RoutableSkill,
  { host, groups, allow }: RoutingFilters,
): Exclusion | null {
  if (!skill.isEnabled) return "disabled";
  if (!skill.hasPrompt) return "no-prompt";
  if (!runsIn(skill.hosts, host)) return "host";
  if (groups.length > 0 && !groups.includes(skill.group ?? "")) return "group";
  return allow.length > 0 && !allow.includes(skill.id) ? "not-allowed" : null;
}

function runsIn(declared: readonly string[], wanted: string | null): boolean {
  if (wanted === null || declared.length === 0) return true;
  const hosts = declared.map(hostNamed);
  const host = hostNamed(wanted);
  return host === everyHost || hosts.includes(everyHost) || hosts.includes(host);
}

const everyHost = "*";
/** Names of programs, by the name they share. */
const sameHosts: ReadonlyMap<string, string> = new Map([
  ...["wps", "writer", "word"].map((name) => [name, "writer"] as const),
  ...["wpp", "ppt", "powerpoint"].map((name) => [name, "wpp"] as const),
  ...["et", "xls", "excel"].map((name) => [name, "et"] as const),
  ...["office", "any", everyHost].map((name) => [name, everyHost] as const),
]);

function hostNamed(name: string): string {
  const plain = name.trim().toLowerCase();
  return sameHosts.get(plain) ?? plain;
}
