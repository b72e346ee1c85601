/** What an agent did with a request, as far as that tells which skills it used. */
export type AgentOutcome =
  | {
      status: "answered" /** Names under which skills were activated, anywhere in the trajectory. */;
      activated: string[];
    }
  | { status: "failed"; message: string }
  | { status: "timed-out"; message: string };

/** A real agent, or one that follows a script: gets a request in a project folder that holds the catalog. */
export interface TriggerAgent {
  /** As reports name it. */
  readonly name: string;
  /** Throws only the signal's reason. */
  run(request: { query: string; project: string }, signal: AbortSignal): Promise<AgentOutcome>;
}
