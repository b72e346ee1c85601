/** Variables of the runner that every skill may see. Anything else must be named in `envKeys`. */
const passedThrough = ["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"] as const;

/** The whole environment of a contained skill process: an allow-list, so that no secret leaks by being forgotten. */
export function skillEnvironment(
  runner: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  tag: string,
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const key of passedThrough) {
    const value = runner[key];
    if (value !== undefined) environment[key] = value;
  }
  // The tags come last: a skill that chose its own could not be found as a stray.
  return { ...environment, PYTHONUNBUFFERED: "1", PYTHONDONTWRITEBYTECODE: "1", ...own, ...skillTags(tag) };
}

/**
 * What bubblewrap itself is started with, and with it every skill process in the sandbox. Nothing of the skill's own is
 * here: a variable such as LD_PRELOAD would act on bubblewrap, outside of its sandbox.
 */
export function sandboxedEnvironment(
  runner: NodeJS.ProcessEnv,
  searchPath: string,
  tag: string,
): Record<string, string> {
  const environment: Record<string, string> = { PATH: searchPath, HOME: "/work", TMPDIR: "/tmp" };
  for (const key of ["LANG", "LC_ALL", "TZ"]) {
    const value = runner[key];
    if (value !== undefined) environment[key] = value;
  }
  return { ...environment, PYTHONUNBUFFERED: "1", PYTHONDONTWRITEBYTECODE: "1", ...skillTags(tag) };
}

/** What a skill's own variables add in the sandbox, where the machine's home and temporary folder do not exist. */
export function ownVariables(
  runner: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
): [name: string, value: string][] {
  const fixed = new Set(["HOME", "TMPDIR", ...Object.keys(skillTags(""))]);
  return Object.entries(own).filter(
    // The runner's own search path, passed on by `envKeys`, leads nowhere inside.
    ([name, value]) => !fixed.has(name) && !(name === "PATH" && value === runner.PATH),
  );
}

/** With the sandbox off a skill runs as the user does, only tagged so that strays can be found. */
export function wholeEnvironment(
  runner: NodeJS.ProcessEnv,
  own: Readonly<Record<string, string>>,
  tag: string,
): NodeJS.ProcessEnv {
  return { ...runner, ...own, ...skillTags(tag) };
}

/** Values that are passed on by default and therefore are not secrets. */
export function isPassedThrough(key: string): boolean {
  return (passedThrough as readonly string[]).includes(key);
}

function skillTags(tag: string): Record<string, string> {
  return { EVAL_SKILLS_SANDBOX: "1", [tagVariable]: tag };
}

/** Set for every skill process and inherited by whatever it starts, so that the sweep finds strays. */
export const tagVariable = "EVAL_SKILLS_CELL";
