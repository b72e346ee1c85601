import type { Listener } from "../contract/event.ts";
import type { UnkeptWorld } from "../run/catalog/judge-unkept.ts";
import { Interrupted } from "../run/interrupted.ts";
import { commonOutput } from "../run/request.ts";
import { surroundingsOf } from "../run/surroundings.ts";
import type { PassSurroundings, ReadyTriggers } from "../run/triggering/prepare-triggers.ts";
import { type PassOptions, triggerPlan } from "../run/triggering/trigger-request.ts";
import { unchosenRouter } from "../run/triggering/unchosen-router.ts";
import type { CatalogFlags } from "./catalog-options.ts";
import type { CommandIo } from "./command-io.ts";
import { type ExitCode, exitCodeOfSignal } from "./exit-codes.ts";
import { listenForInterrupt } from "./interrupt.ts";
import { passSurroundings } from "./pass-surroundings.ts";
import { showProgress } from "./show-progress.ts";
import { toldConfig } from "./told-config.ts";

/** A pass over a whole catalog, as both of its commands need it. */
export interface CatalogPass {
  pass: PassOptions;
  around: PassSurroundings;
  world: UnkeptWorld;
  /** Tells why the router judges where nobody chose it. */
  hear(ready: Pick<ReadyTriggers, "subjects">): void;
}

/** Makes a pass over a catalog ready and hands it on. Nothing of it is kept but replies, so one that is stopped begins anew. */
export async function withCatalogPass(
  { dir, ...flags }: CatalogFlags,
  io: CommandIo,
  work: (pass: CatalogPass, endProgress: () => void) => Promise<ExitCode>,
): Promise<ExitCode> {
  const loaded = await toldConfig(io);
  const options = { ...flags, skills: [dir], catalog: [dir] };
  const { env, cwd } = io;
  const output = commonOutput(options, loaded, cwd);
  using interrupt = listenForInterrupt();
  using progress = showProgress(io);
  const { record, replay } = flags;
  const facts = surroundingsOf({ env, cwd, output, config: loaded.config, record, replay });
  const around = passSurroundings(facts, flags);
  const { signal } = interrupt;
  const world = {
    concurrency: output.concurrency,
    version: around.version,
    signal,
    listeners: [(event: Parameters<Listener>[0]) => void (isSlow && progress.hear(event))],
  };
  let isSlow = false; // the router is done before anybody could read how far it is
  const hear = ({ subjects }: Pick<ReadyTriggers, "subjects">) => {
    isSlow = subjects.some(({ judge }) => judge !== null && !judge.isDeterministic);
    const note = unchosenRouter(subjects, "--judge-model asks a model");
    if (note !== null) io.note(note);
  };
  const pass = triggerPlan(options, loaded, cwd);
  try {
    return await work({ pass, around, world, hear }, () => progress[Symbol.dispose]());
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    progress[Symbol.dispose]();
    const exitCode = exitCodeOfSignal[error.signal];
    io.note("interrupted: replies of models are kept, the rest begins anew");
    if (io.json) io.result({ state: "interrupted", exitCode }, "");
    return exitCode;
  }
}
