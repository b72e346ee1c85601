import type { AgentMessage, DecideListener, DecideOutcome } from "../../contract/agent-parts.ts";
import type { ManifestPart } from "../../contract/agent-record.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { promptChars, promptText } from "../decide/prompt-text.ts";
import { contentPath } from "../stream/decision-stream.ts";
import type { AgentRun } from "./agent-run.ts";
import { contextPart, type PackedContext, packContext } from "./pack-context.ts";
import { stateText } from "./state-text.ts";
import { type Stop, stopAtLimit } from "./stop.ts";

type Decided = DecideOutcome & { status: "decided" };

/** Puts all that the run knows before the model and has it decide; without a decision the run stops. */
export async function askModel(run: AgentRun): Promise<Decided | { status: "stopped"; stop: Stop }> {
  const { decide, log, limits, started, tools, invoked, inputFiles } = run.setup;
  const allowedTools = tools.allowedTools(run.selected);
  const { budget, selected } = run;
  const state = stateText({ budget, plan: run.plan.plan, selected, invoked, inputFiles, allowedTools });
  const packed = packContext(run.context.takeMaterial(state), limits.max_context_chars);
  if (packed === null) return { status: "stopped", stop: stopAtLimit("max_context_chars") };

  const outcome = await decide(
    {
      messages: packed.messages,
      skillNames: run.offered,
      tools: selected.flatMap((skill) => skill.tools),
      telemetry: { run_id: log.runId, turn: budget.used.turns },
      budget: {
        max_output_chars: 200_000,
        max_retries: 1,
        allow_streaming: started.streaming,
        max_context_chars: limits.max_context_chars,
      },
    },
    listener(run, packed),
    run.interruption.signal,
  );
  // A clock that is held may have passed the deadline without a timer.
  if (outcome.status === "decided") return budget.isTimeUp ? stopped(stopAtLimit("timeout_ms")) : outcome;
  return stopped(toStop(outcome));
}

function stopped(stop: Stop): { status: "stopped"; stop: Stop } {
  return { status: "stopped", stop };
}

function toStop(outcome: Exclude<DecideOutcome, Decided>): Stop {
  switch (outcome.status) {
    case "invalid":
      return { reason: "invalid_model_output", error: outcome.error };
    case "unavailable":
      return { reason: "model_unavailable", error: outcome.error };
    case "exhausted":
      return stopAtLimit(outcome.limit);
    case "mock-exhausted":
      return {
        reason: "mock_exhausted",
        error: { code: "MockExhausted", message: "the script of the model has no entry left" },
      };
    default:
      return outcome satisfies never;
  }
}

function listener(run: AgentRun, packed: PackedContext): DecideListener {
  const { log, model, onLive } = run.setup;
  const turn = run.budget.used.turns;
  let call = "";
  let current = 1;
  return {
    mayCall: (messages) => run.budget.takeModelCall(promptChars(messages)),
    request({ attempt, try: tries, messages }) {
      const text = promptText(messages);
      current = attempt;
      call = `t${turn}-${attempt}-${tries}`;
      run.emit("model_request", {
        attempt,
        try: tries,
        context_manifest: buildManifest(messages, packed),
        prompt_sha256: sha256(text),
        chars: text.length,
      });
      log.keepRaw(`${call}-prompt.txt`, text);
      // A script has no effect outside the run directory.
      return model.scriptUse === undefined ? log.synced() : undefined;
    },
    type(type) {
      log.emitDelta(turn, { attempt: current, path: "$.action.type", text: type });
      onLive?.type?.(type);
    },
    delta(attempt, path, text) {
      log.emitDelta(turn, { attempt, path, text });
      if (path === contentPath) onLive?.delta?.(text);
    },
    response(fact, raw) {
      run.emit("model_response", fact);
      run.usage.add(fact);
      run.budget.addCost(fact.usage?.cost_usd ?? 0);
      log.keepRaw(`${call}-reply.txt`, raw);
    },
  };
}

/** A correction says more than was packed: the reply, and what is wrong with it. */
function buildManifest(messages: readonly AgentMessage[], packed: PackedContext): ManifestPart[] {
  const added = messages.slice(packed.messages.length);
  return [...packed.manifest, ...added.map(({ text }) => contextPart("notice", text).listing)];
}
