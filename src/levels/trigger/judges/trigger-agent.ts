import type { Json } from "../../../shared/json/json.ts";

/** What an agent did with a request, as far as that tells which skills it used. */
export type AgentOutcome =
  /** With the names under which skills were activated, anywhere in the trajectory, in the order they were. */
  | { status: "answered"; activated: readonly string[] }
  | { status: "failed"; message: string }
  | { status: "timed-out"; message: string };

/** A real agent, or one that follows a script: gets a request in a project folder that holds the catalog. */
export interface TriggerAgent {
  /** As reports name it. */
  readonly name: string;
  /** Everything about it that may change what it does: part of the identity of what it judges. Holds no secret. */
  readonly identity: Json;
  /** Throws only the signal's reason. */
  run(request: { query: string; project: string }, signal: AbortSignal): Promise<AgentOutcome>;
}

/** A folder for one run of an agent that holds every skill of a catalog as an agent finds them; gone when it is disposed of. */
export interface AgentProject extends AsyncDisposable {
  readonly path: string;
}
