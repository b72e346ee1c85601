import { givenSchemas } from "../../engine/given-schemas.ts";
import { checkTools } from "../../operations/tools/check-tools.ts";
import { namedTool } from "../../operations/tools/named-skill.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { toolCheckLines } from "../output/tool-check-lines.ts";
import { withTools } from "./tool-context.ts";
import type { ToolCheckFlags } from "./tool-options.ts";

/** `tool check`: what every declared tool has to do, whatever it is for. */
export async function toolCheckCommand(flags: ToolCheckFlags, io: CommandIo): Promise<ExitCode> {
  const { cwd } = io;
  const schemas = givenSchemas(flags.schema, cwd);
  return withTools(flags, io, async ({ containment, concurrency, project, context }) => {
    const paths: string[] = [];
    for (const word of flags.skills) paths.push(await namedTool(word, project));
    const request = { paths, schemas, timeoutMs: flags.timeout ?? null, concurrency, containment, cwd };
    const report = await checkTools(request, context);
    io.result(report, toolCheckLines(report, io));
    return report.exitCode;
  });
}
