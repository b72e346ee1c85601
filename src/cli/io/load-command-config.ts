import { type ConfigSources, type LoadedConfig, loadConfig } from "../../config/load-config.ts";
import { describeGrants } from "../../contract/grant.ts";
import type { CommandIo } from "./command-io.ts";
import { withPython } from "./python-environment.ts";

/** The configuration in force, and the environment that skills are run from. */
interface CommandConfig extends LoadedConfig {
  env: NodeJS.ProcessEnv;
}

/** The configuration in force, with what was typed on top of it; its warnings are printed at once. */
export async function loadCommandConfig(
  io: CommandIo,
  flags: ConfigSources["flags"] = io.flags,
): Promise<CommandConfig> {
  const loaded = await loadConfig({
    ...io,
    flags,
    onGrantUse(granted) {
      for (const line of describeGrants(granted)) io.note(line);
    },
  });
  for (const warning of loaded.warnings) io.warn(warning);
  return { ...loaded, env: withPython(io.env, loaded.config.python, io.cwd) };
}

/** The same for commands that send something: refused where the project's file asks for what nobody granted. */
export async function loadRunConfig(io: CommandIo): Promise<CommandConfig> {
  const loaded = await loadCommandConfig(io);
  loaded.permissions.require(loaded.asks);
  return loaded;
}

/** The same for commands over skills and cases, which ask as well: refused together with them, so that the user sees one refusal. */
export async function loadConfigForSkills(
  io: CommandIo,
  flags: ConfigSources["flags"] = io.flags,
): Promise<CommandConfig> {
  const loaded = await loadCommandConfig(io, flags);
  loaded.permissions.expect(loaded.asks);
  return loaded;
}
