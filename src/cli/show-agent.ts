import picocolors from "picocolors";
import type { LiveListener } from "../agent/loop/agent-setup.ts";
import { visibleLines } from "../base/visible-text.ts";
import type { CommandIo } from "./command-io.ts";

export interface ShownAgent extends Disposable {
  listener: LiveListener;
  /** Whether the whole answer stands on stdout already. */
  readonly hasShownAnswer: boolean;
}
