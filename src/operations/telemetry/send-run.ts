import type { Store } from "../../contract/store.ts";
import { countOf } from "../../shared/text/count-of.ts";
import type { OtlpSettings } from "../../telemetry/otlp/otlp-settings.ts";
import { runTree, type SpannedRun } from "./run-tree.ts";

/** Sends a run that is done as spans. It never fails the run: what went wrong comes back as a sentence. */
export async function sendRun(
  { url, content }: OtlpSettings,
  run: SpannedRun,
  store: Pick<Store, "results">,
  version: string,
): Promise<{ ok: boolean; words: string }> {
  const { exportSpans } = await import("../../telemetry/otlp/export-spans.ts");
  const root = runTree(run, () => store.results(run.id), content);
  const sent = await exportSpans({ runId: run.id, root, url, version });
  if (sent.ok) return { ok: true, words: `${countOf(sent.spans, "span")} sent` };
  const { host } = new URL(url);
  return { ok: false, words: `the spans of this run could not be sent to ${host}: ${sent.problem}` };
}
