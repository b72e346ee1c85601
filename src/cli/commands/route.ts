import { modelSettings } from "../../engine/request.ts";
import { routeQuery } from "../../operations/catalog/route-query.ts";
import type { CommandIo, ExitCode } from "../io/command-io.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadRunConfig } from "../io/load-command-config.ts";
import { routeLines } from "../output/route-lines.ts";
import type { RouteFlags } from "./route-options.ts";

/** `route`: which skills a request would load, and why. */
export async function routeCommand(flags: RouteFlags, io: CommandIo): Promise<ExitCode> {
  const { query, skillsDir, host = null, groups = [], allow = [], all } = flags;
  const { config } = await loadRunConfig(io);
  using interrupt = listenForInterrupt();
  const { routing, warnings } = await routeQuery({
    query,
    skillsDir,
    cwd: io.cwd,
    env: io.env,
    apiKey: config.llm.apiKey ?? null,
    store: config.store,
    filters: { host, groups, allow },
    router: config.router,
    models: modelSettings(config),
    requireVectors: flags.requireVectors === true,
    signal: interrupt.signal,
  });
  for (const warning of warnings) io.warn(warning);
  if (routing.mode === "lexical" && config.router.embedding !== null)
    io.warn(`routed without vectors: ${routing.fallbackReason}`);
  const shown = all ? routing.skills : routing.skills.filter(({ selected }) => selected);
  io.result(
    { query, ...routing, skills: shown },
    routeLines(routing, { color: io.color, width: io.width, all: all === true }),
  );
  return 0;
}
