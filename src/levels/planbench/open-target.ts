import {
  defaultBody,
  type LoadedBench,
  type LoadedBenchCase,
  mockModelId,
  type TargetType,
} from "../../contract/planbench-file.ts";
import { type ModelContext, modelRegistry } from "../../models/model-registry.ts";
import type { Clock } from "../../shared/async/clock.ts";
import { canonicalJson, sha256 } from "../../shared/json/canonical-json.ts";
import type { Json } from "../../shared/json/json.ts";
import { UserError } from "../../shared/user-error.ts";
import type { PlannedBenchCase } from "./cells.ts";
import { fillHeaders } from "./files/fill-headers.ts";
import type { ReadyBench } from "./prepare.ts";
import type { BenchPlan } from "./request.ts";
import { modelSource, planOpening } from "./sources/model-source.ts";
import { type PlanSource, scriptedSource } from "./sources/plan-source.ts";
import { openSseService } from "./sources/sse-service.ts";
import { toolSource } from "./sources/tool-source.ts";

/** A case, and which of its samples. */
interface BenchSample {
  case: Pick<PlannedBenchCase, "loaded" | "chosen">;
  /** From 1. */
  sample: number;
}

/** Whose plans are measured, ready to be asked. */
export interface OpenTarget extends AsyncDisposable {
  /** `mock`, `<provider>/<model>`, or where a service is. */
  id: string;
  type: TargetType;
  /** Whether our router chooses the skills: a service does that by itself. */
  takesPrompts: boolean;
  /** Whether a model is called. */
  callsModel: boolean;
  parameters: Json;
  /** Everything that may change what it makes of a case. Holds no secret. */
  identityFor(one: LoadedBenchCase): Json;
  sourceFor(sample: BenchSample, session: string): PlanSource;
  secrets(): string[];
}

interface TargetContext {
  env: NodeJS.ProcessEnv;
  models: Pick<ModelContext, "apiKey" | "record" | "replay" | "concurrency" | "budget">;
  /** Values that nothing written may show. */
  trusted: readonly string[];
  concurrency: number;
  clock: Clock;
}

/** Opens what a bench measures; `--model` overrides it. */
export async function openTarget(
  bench: LoadedBench,
  cases: readonly LoadedBenchCase[],
  { model, settings }: Pick<BenchPlan, "model" | "settings">,
  context: TargetContext,
): Promise<OpenTarget> {
  const { target } = bench.file;
  // Without cases that call a model no key is needed.
  if (!cases.some(({ source }) => source === "model")) return { ...mockTarget(bench), id: "none" };
  if (target.type === "sse" && model === null) return openService(bench, target, context);
  const configured = target.type === "model" ? target : { model: undefined, temperature: undefined };
  const wanted = model ?? configured.model;
  if (wanted === mockModelId) return mockTarget(bench);
  const temperature = configured.temperature ?? settings.llm.temperature;
  return openModel(wanted, temperature, settings, context);
}

/** Replies with what each case contains. */
function mockTarget({ shown }: LoadedBench): OpenTarget {
  const mockReplies = ({ id, index, mock }: LoadedBenchCase) => {
    if (mock !== undefined) return mock;
    throw new UserError("benchmark-invalid", `${shown}: case ${id} has no mock replies`, {
      path: shown,
      jsonPath: `$.cases[${index}].mock`,
      hint: "add `mock` with replies to the case, or use a real model with --model",
    });
  };
  return {
    id: mockModelId,
    type: "mock",
    takesPrompts: true,
    callsModel: false,
    parameters: {},
    identityFor: (one) => sha256(canonicalJson(mockReplies(one))),
    sourceFor: ({ case: { loaded } }) => scriptedSource(mockReplies(loaded)),
    secrets: () => [],
    [Symbol.asyncDispose]: async () => {},
  };
}

async function openModel(
  id: string | undefined,
  temperature: number,
  settings: BenchPlan["settings"],
  { env, models, trusted }: TargetContext,
): Promise<OpenTarget> {
  const registry = modelRegistry(settings, { env, ...models, secrets: trusted });
  const model = await registry.open(id);
  return {
    id: model.id,
    type: "model",
    takesPrompts: true,
    callsModel: true,
    parameters: { temperature },
    identityFor: () => ({ model: model.identity, temperature }),
    sourceFor: ({ case: { loaded, chosen }, sample }) => {
      const { input, host = null } = loaded;
      const opening = planOpening({ prompts: chosen.prompts, host, input });
      return modelSource({ model, temperature, opening, sample });
    },
    secrets: () => registry.secrets(),
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose](),
  };
}

function openService(
  bench: LoadedBench,
  { url, headers: written, body = defaultBody }: Extract<LoadedBench["file"]["target"], { type: "sse" }>,
  { env, concurrency, clock }: TargetContext,
): OpenTarget {
  const { headers, secrets } = fillHeaders(written, env, bench);
  const service = openSseService({ url, headers, body, concurrency, clock });
  const { origin, pathname } = new URL(url);
  return {
    id: `sse ${origin}${pathname}`,
    type: "sse",
    takesPrompts: false,
    callsModel: false,
    parameters: { body },
    identityFor: () => ({ url, headers: written, body }),
    sourceFor: ({ case: { loaded } }, session) => {
      const { input, host = "" } = loaded;
      return service.source({ input, host, session });
    },
    secrets: () => secrets,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  };
}

/** Who makes the plans of a sample. */
export function sampleSource(
  sample: BenchSample,
  { target, hosts }: Pick<ReadyBench, "target" | "hosts">,
  session: string,
): PlanSource {
  const { loaded, chosen } = sample.case;
  const { source, outputs = [], arguments: given = {} } = loaded;
  switch (source) {
    case "model":
      return target.sourceFor(sample, session);
    case "fixed":
      return scriptedSource(outputs);
    case "local": {
      const { tool } = chosen;
      if (tool === null) throw new Error(`${loaded.id} has no tool`);
      return toolSource({ hosts, tool: tool.hosted, arguments: given, isUnchanged: tool.isUnchanged });
    }
    default:
      return source satisfies never;
  }
}
