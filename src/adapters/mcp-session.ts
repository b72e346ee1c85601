import type { Client } from "@modelcontextprotocol/client";
import type { CallLimits, Evidence, Outcome } from "../contract/outcome.ts";
import type { Clock } from "../shared/async/clock.ts";
import type { JsonObject, JsonSchema } from "../shared/json/json.ts";
import { silenceMessage } from "./answers.ts";
import { newClient, noTimeout } from "./mcp-client.ts";
import {
  brokenPromise,
  faultOfError,
  type LinkFault,
  type McpLink,
  type McpRoute,
  toolMissing,
} from "./mcp-link.ts";
import { type ResultCheck, readToolResult, resultCheck, type ToolResult, toolResult } from "./mcp-result.ts";
import { listTools, type ToolList, type ToolPin } from "./mcp-tools.ts";
import { withinDeadline } from "./within-deadline.ts";

export interface SessionOptions<Link extends McpLink> {
  route: McpRoute<Link>;
  toolName: string;
  version: string;
  /** Shared by all sessions with one server. */
  pin: ToolPin;
  clock: Clock;
}

/** One client of an MCP server: made ready once, then one call after the other. */
export class McpSession<Link extends McpLink> {
  readonly #options: SessionOptions<Link>;
  #link: Link;
  #client: Client;
  #tools: ToolList | null = null;
  #check: ResultCheck | null = null;
  /** The server announced that its tools have changed. */
  #isStale = false;
  /** The refusal of a server that accepted none of the protocols. */
  #refusal: LinkFault | null = null;
  #isEnded = false;

  constructor(options: SessionOptions<Link>) {
    this.#options = options;
    this.#link = options.route.open();
    this.#client = this.#newClient();
  }

  get isOver(): boolean {
    return this.#link.isOver;
  }

  get isForgotten(): boolean {
    return this.#options.route.isForgotten(this.#link);
  }

  /** Calls the tool, after the handshake if there was none yet. Throws only when the run is interrupted. */
  async call(input: JsonObject, limits: CallLimits): Promise<Outcome> {
    const { clock, toolName } = this.#options;
    const began = clock.monotonic();
    const isFresh = this.#tools === null;
    const unready = await this.#getReady(limits);
    const startupMs = isFresh ? clock.monotonic() - began : undefined;
    if (unready === "silent") return this.#silence(limits, startupMs, startupWords);
    if (unready !== null) return this.#failure(unready, { latencyMs: clock.monotonic() - began, startupMs });
    if (!this.#tools?.tools.has(toolName))
      return this.#failure(toolMissing(toolName, this.#tools?.tools.keys() ?? []), {
        latencyMs: 0,
        startupMs,
      });

    const sent = clock.monotonic();
    const result = await this.#within(limits, () => this.#request(input));
    if (result === "silent") return this.#silence(limits, startupMs);
    const evidence = { latencyMs: clock.monotonic() - sent, startupMs };
    return "cause" in result ? this.#failure(result, evidence) : this.#answer(result, evidence);
  }

  /** Ends the connection now. */
  kill(): Promise<void> {
    this.#isEnded = true;
    return this.#link.kill();
  }

  /** Says good-bye, and ends the connection. */
  close(): Promise<void> {
    this.#isEnded = true;
    return this.#link.close();
  }

  #request(input: JsonObject): Promise<ToolResult> {
    const params = { name: this.#options.toolName, arguments: input };
    return this.#client.request({ method: "tools/call", params }, toolResult, noTimeout);
  }

  /** Handshake and list of tools, where they are missing or out of date. */
  async #getReady(limits: CallLimits): Promise<LinkFault | "silent" | null> {
    if (this.#tools !== null && !this.#isStale) return null;
    const isReady = await this.#within(limits, async () => {
      if (this.#tools === null) await this.#connect();
      this.#isStale = false;
      this.#tools = await listTools(this.#client);
      const schema = this.#tools.tools.get(this.#options.toolName)?.outputSchema;
      this.#check = schema === undefined ? null : await resultCheck(schema as JsonSchema);
      return true as const;
    });
    return isReady === true ? null : isReady;
  }

  async #connect(): Promise<void> {
    const { route } = this.#options;
    try {
      await this.#client.connect(this.#link.transport, noTimeout);
    } catch (error) {
      const refused = this.#link;
      const other = this.#isEnded ? null : route.instead(refused);
      if (other === null) throw error;
      await refused.kill();
      this.#link = other;
      other.beginCall();
      this.#client = this.#newClient();
      await this.#client.connect(other.transport, noTimeout).catch((second: Error) => {
        this.#refusal = refused.fault; // the first answer is the one that helps; the second protocol was a guess
        throw second;
      });
    }
    route.keep(this.#link);
  }

  #newClient(): Client {
    return newClient(this.#options.version, {
      onToolsChanged: () => {
        this.#isStale = true;
      },
      onError: (error) => this.#link.onError(error),
    });
  }

  /** One exchange: what it gave, what went wrong with it, or that the deadline came first. The server gets a cancellation when we stop waiting. */
  async #within<Value>(
    limits: CallLimits,
    exchange: () => Promise<Value>,
  ): Promise<Value | LinkFault | "silent"> {
    this.#link.beginCall();
    try {
      const value = await withinDeadline(exchange(), limits);
      if (value !== null) return value;
      this.#link.cancelCall();
      return "silent";
    } catch (error) {
      if (limits.signal.aborted) this.#link.cancelCall();
      limits.signal.throwIfAborted();
      // What the connection saw counts more than what the SDK made of it.
      return this.#refusal ?? this.#link.fault ?? faultOfError(error);
    } finally {
      this.#link.endCall();
    }
  }

  #answer(result: ToolResult, evidence: Evidence): Outcome {
    const read = readToolResult(result);
    if (read.kind === "fault") return this.#failure(read.fault, evidence);
    const { problems, warnings } = this.#check?.(result.structuredContent) ?? unchecked;
    if (problems.length > 0) return this.#failure(brokenPromise(problems), evidence);
    const seen = this.#seen(evidence, [...read.warnings, ...warnings]);
    return { ...seen, status: "answered", output: read.output, usage: read.usage };
  }

  #failure(fault: LinkFault, evidence: Evidence): Outcome {
    return { ...this.#seen(evidence), ...fault };
  }

  #silence({ deadlineMs }: CallLimits, startupMs: number | undefined, where = ""): Outcome {
    const seen = this.#seen({ latencyMs: deadlineMs, startupMs });
    return { ...seen, status: "timed-out", message: `${silenceMessage(deadlineMs)}${where}` };
  }

  #seen(evidence: Evidence, found: readonly string[] = []): Evidence {
    const { warnings: received = [], ...rest } = this.#link.takeEvidence();
    const changed = this.#tools === null ? null : this.#options.pin.compare(this.#tools);
    const announced = this.#isStale ? ["the server reported that its tools changed during this call"] : [];
    const warnings = [...found, ...received, ...(changed === null ? [] : [changed]), ...announced];
    return { ...evidence, ...rest, ...(warnings.length > 0 && { warnings }) };
  }
}

const startupWords = ": the server did not finish the handshake and the list of its tools in that time";
const unchecked = { problems: [], warnings: [] };
