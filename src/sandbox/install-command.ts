/** A program that containment needs, by the name its package has nearly everywhere. */
type PackageName = "bubblewrap" | "util-linux";

/** What to type on this distribution to get a package, or null where that is not known. */
export function installCommand(name: PackageName, osRelease: string, isRoot: boolean): string | null {
  const families = familiesOf(osRelease);
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
function familiesOf(osRelease: string): string[] {
  const said = (key: string) =>
    new RegExp(`^${key}=["']?([^"'\\n]*)`, "m").exec(osRelease)?.[1]?.toLowerCase() ?? "";
  return `${said("ID")} ${said("ID_LIKE")}`.split(/\s+/).filter(Boolean);
}
