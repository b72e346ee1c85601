/** Text of a tool without the places of this machine: what lies in the skill is named as the skill knows it. */
export function withoutPaths(text: string, dir: string): string {
  return text
    .replaceAll(`${dir}/`, "")
    .replaceAll(dir, ".")
    .replace(placeBehindWalls, "")
    .replace(machinePath, (path) => path.slice(path.lastIndexOf("/") + 1) || "a folder");
}

/** Where the sandbox shows the folder of a skill. */
const placeBehindWalls = /(?<![\w./:-])\/skill\//g;

/** Folders that machines have; what lies there is called by its last name. */
const machinePath =
  /(?<![\w./:-])\/(?:bin|dev|etc|home|lib|lib64|media|mnt|nix|opt|private|proc|root|run|srv|sys|tmp|Users|usr|var|work|Volumes)(?![\w.-])(?:\/[^\s"'`<>|:;,()[\]{}]*)?/g;
