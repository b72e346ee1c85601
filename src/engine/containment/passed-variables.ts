/** The variables that a user lets through to processes, as far as they are set. */
export function passedVariables(names: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name] as string]])),
  );
}
