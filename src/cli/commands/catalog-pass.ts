import type { Listener } from "../../contract/event.ts";
import { Interrupted } from "../../engine/interrupted.ts";
import { commonOutput } from "../../engine/request.ts";
import { makeRunContext } from "../../engine/run-context.ts";
import type { ReadyTriggers, TriggerSuiteContext } from "../../levels/trigger/prepare.ts";
import { type TriggerSuiteOptions, triggerPlan } from "../../levels/trigger/request.ts";
import { unchosenRouter } from "../../levels/trigger/unchosen-router.ts";
import type { JudgingContext } from "../../operations/catalog/judge-in-temporary-store.ts";
import type { CommandIo } from "../io/command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "../io/exit-codes.ts";
import { listenForInterrupt } from "../io/interrupt.ts";
import { loadCommandConfig } from "../io/load-command-config.ts";
import { showProgress } from "../io/show-progress.ts";
import type { CatalogFlags } from "./catalog-options.ts";
import { triggerContext } from "./trigger-context.ts";

/** A pass over a whole catalog, as both of its commands need it. */
export interface CatalogPass {
  pass: TriggerSuiteOptions;
  around: TriggerSuiteContext;
  world: JudgingContext;
  /** Reports why the router judges where nobody chose it. */
  onReady(ready: Pick<ReadyTriggers, "subjects">): void;
}

/** Makes a pass over a catalog ready and hands it on. Nothing of it is kept but replies, so one that is stopped begins anew. */
export async function withCatalogPass(
  { dir, ...flags }: CatalogFlags,
  io: CommandIo,
  work: (pass: CatalogPass, endProgress: () => void) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await loadCommandConfig(io);
  const options = { ...flags, skills: [dir], catalog: [dir] };
  const { env, cwd } = io;
  const output = commonOutput(options, loaded, cwd);
  using interrupt = listenForInterrupt();
  using progress = showProgress(io);
  const { record, replay } = flags;
  const facts = makeRunContext({ env, cwd, output, config: loaded.config, record, replay });
  const around = triggerContext(facts, flags);
  const { signal } = interrupt;
  const world = {
    concurrency: output.concurrency,
    version: around.version,
    signal,
    listeners: [(event: Parameters<Listener>[0]) => void (isSlow && progress.onEvent(event))],
  };
  let isSlow = false; // the router is done before anybody could read how far it is
  const onReady = ({ subjects }: Pick<ReadyTriggers, "subjects">) => {
    isSlow = subjects.some(({ judge }) => judge !== null && !judge.isDeterministic);
    const note = unchosenRouter(subjects, "--judge-model asks a model");
    if (note !== null) io.note(note);
  };
  const pass = triggerPlan(options, loaded, cwd);
  try {
    return await work({ pass, around, world, onReady }, () => progress[Symbol.dispose]());
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress[Symbol.dispose]();
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: model replies are cached, everything else starts over next time");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}
