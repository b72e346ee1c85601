import type { Json, JsonSchema } from "../shared/json/json.ts";
import type { CallLimits, Outcome } from "./outcome.ts";

/** `fresh`: a process for every call. `persistent`: one that serves many, each in its turn. */
export const toolHostModes = ["fresh", "persistent"] as const;
export type ToolHostMode = (typeof toolHostModes)[number];

/** How long a call of a tool may take where its skill says nothing, import included. */
export const toolDeadlineMs = 30_000;

/** A declared tool of a skill, with everything it takes to call it. */
export interface HostedTool {
  skill: {
    id: string;
    /** Absolute. */
    dir: string;
    /** Of the files as they are now: a host that was started for others is not asked again. */
    digest: string;
    /** A skill that gives up the network gets none, where the sandbox can close it. */
    network?: "none" | undefined;
  };
  /** The name of the tool, which is that of the function. */
  name: string;
  /** Relative to the folder of the skill, `/`-separated. */
  script: string;
  /** Null where it was declared by its name alone: any object is taken. */
  parameters: JsonSchema | null;
  /** Null: `toolDeadlineMs`. */
  timeoutMs: number | null;
}

/** The document that is open where a request is made. */
export interface OpenDocument {
  /** All of it. */
  text: string;
  /** Where it lies, absolute; null where only its text is known. */
  path: string | null;
}

/** An argument that was filled in: how much of what, never the text. */
export interface InjectedArgument {
  name: string;
  chars: number;
  sha256: string;
}

export interface ToolRequest {
  tool: HostedTool;
  /** As the model or the task said them. */
  arguments: Json;
  document: OpenDocument | null;
  /** Called once, before anything is checked or run, with what was filled in. */
  started?: ((injected: readonly InjectedArgument[]) => void) | undefined;
}

/** How a call of a tool ended. Its findings are among the warnings, each `<code>: <sentence>`. */
export type ToolOutcome = Outcome & { injected?: readonly InjectedArgument[] | undefined };

/** Calls tools of skills: injection, validation, execution and the check of the result. What a tool does wrong is a value. */
export interface ToolHosts extends AsyncDisposable {
  /** The tool's own deadline counts, or that of the limits where it is nearer. Throws the reason of an interruption, or a `UserError`. */
  call(request: ToolRequest, limits: CallLimits): Promise<ToolOutcome>;
}
