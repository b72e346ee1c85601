import { openBaseCatalog } from "../../operations/catalog/base-catalog.ts";
import { compareCatalogs } from "../../operations/catalog/compare-catalogs.ts";
import { descriptionPlaces } from "../../operations/catalog/description-places.ts";
import type { CommandIo } from "../io/command-io.ts";
import type { ExitCode } from "../io/exit-codes.ts";
import { tellGithubOfCatalogDiff } from "../io/github.ts";
import { writeOutput } from "../io/write-output.ts";
import { catalogDiffLines } from "../output/catalog-diff-lines.ts";
import { catalogDiffMarkdown } from "../output/catalog-diff-markdown.ts";
import type { CatalogDiffFlags } from "./catalog-options.ts";
import { withCatalogPass } from "./catalog-pass.ts";

/** `catalog diff`: what an edit of some skills did to the requests of all. */
export async function catalogDiffCommand(
  { base: named, failOnSteal, output, ...flags }: CatalogDiffFlags,
  io: CommandIo,
): Promise<ExitCode> {
  return withCatalogPass(flags, io, async (ready, endProgress) => {
    const { env, cwd, color, width, verbose } = io;
    const { signal } = ready.world;
    await using base = await openBaseCatalog({ base: named, dir: flags.dir, cwd, env, signal });
    const { diff, skills } = await compareCatalogs({
      ...ready,
      base,
      failOnSteal: failOnSteal === true,
      allowInvalid: flags.allowInvalid === true,
    });
    endProgress();
    if (output !== undefined) writeOutput(output, catalogDiffMarkdown(diff), io);
    io.result(diff, catalogDiffLines(diff, { color, width, verbose }));
    if (!io.json) for (const warning of diff.warnings) io.warn(warning);
    if (output !== undefined) io.note(`written to ${output}`);
    tellGithubOfCatalogDiff(diff, io, await descriptionPlaces(diff, skills));
    return diff.exitCode;
  });
}
