/** The folder of the skill below; its id has to be the same. */
export const promptToolFolder = "checker";

export const promptText = "Check every line.\n";

/** The files of the smallest prompt with tools, with other members in its manifest and other files beside it. */
export function promptToolFiles(
  change: Readonly<Record<string, unknown>> = {},
  files: Readonly<Record<string, string | Uint8Array>> = { "SYSTEM.md": promptText },
): Record<string, string | Uint8Array> {
  const manifest = {
    schema_version: "ah32.skill.v1",
    meta: { id: promptToolFolder, name: "Check" },
    entry: {},
    ...change,
  };
  // Over several lines, as people write it: findings name them.
  return { "skill.json": JSON.stringify(manifest, null, 2), ...files };
}
