import { Client, ProtocolError } from "@modelcontextprotocol/client";
import type { Clock } from "../base/clock.ts";
import { shorten } from "../base/visible-text.ts";
import type { CallLimits } from "../contract/adapter.ts";
import type { JsonObject, JsonSchema } from "../contract/json.ts";
import type { Evidence, Outcome } from "../contract/outcome.ts";
import { silenceMessage } from "./answer-words.ts";
import { answerElicitation } from "./mcp-elicitation.ts";
import type { LinkFault, McpLink, McpRoute } from "./mcp-link.ts";
import { type OutputCheck, outputCheck } from "./mcp-output-check.ts";
import { withinDeadline } from "./mcp-race.ts";
import { readToolResult, type ToolResult, toolResult } from "./mcp-result.ts";
import { listTools, type ToolList, type ToolPin } from "./mcp-tools.ts";

export interface SessionOptions {
  route: McpRoute;
  toolName: string;
  version: string;
  /** Shared by all sessions with one server. */
  pin: ToolPin;
  clock: Clock;
}

/** The SDK's own time limit is switched off: the one deadline is kept here. */
const noTimeout = 2 ** 31 - 1;

const startupWords = ": the server did not finish the handshake and the list of its tools in that time";

/** One client of an MCP server: made ready once, then one call after the other. */
export class McpSession {
  readonly #options: SessionOptions;
  #link: McpLink;
  #client: Client;
  #tools: ToolList | null = null;
  #check: OutputCheck | null = null;
  /** How the server turned us down, where it refused every protocol there is. */
  #refusal: LinkFault | null = null;
  /** The server said that its tools are others now. */
  #isStale = false;

  constructor(options: SessionOptions) {
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

  /** Calls the tool, after the handshake where there was none yet. Throws only when the run is interrupted. */
  async call(input: JsonObject, limits: CallLimits): Promise<Outcome> {
    const { clock } = this.#options;
    const began = clock.monotonic();
    const isFresh = this.#tools === null;
    const unready = await this.#getReady(limits);
    const startupMs = isFresh ? clock.monotonic() - began : undefined;
    if (unready === "silent")
      return this.#timedOut(limits, { latencyMs: limits.deadlineMs, startupMs }, startupWords);
    if (unready !== null)
      return this.#outcomeOf(unready, { latencyMs: clock.monotonic() - began, startupMs });
    if (!this.#tools?.tools.has(this.#options.toolName))
      return this.#outcomeOf(this.#toolMissing(), { latencyMs: 0, startupMs });

    this.#link.beginCall();
    const sent = clock.monotonic();
    const evidence = (): Evidence => ({ latencyMs: clock.monotonic() - sent, startupMs });
    try {
      const result = await withinDeadline((signal) => this.#request(input, signal), limits);
      if (result === null) return this.#timedOut(limits, evidence());
      return this.#read(result, evidence());
    } catch (error) {
      limits.signal.throwIfAborted();
      return this.#outcomeOf(this.#faultOf(error), evidence());
    } finally {
      this.#link.endCall();
    }
  }

  /** Ends the connection now. */
  kill(): Promise<void> {
    return this.#link.kill();
  }

  /** Says good-bye, and ends the connection. */
  close(): Promise<void> {
    return this.#link.close();
  }

  #request(input: JsonObject, signal: AbortSignal): Promise<ToolResult> {
    const params = { name: this.#options.toolName, arguments: input };
    return this.#client.request({ method: "tools/call", params }, toolResult, { signal, timeout: noTimeout });
  }

  /** Handshake and list of tools, where they are missing or out of date. What hinders it is a fault; silence is one too. */
  async #getReady(limits: CallLimits): Promise<LinkFault | "silent" | null> {
    if (this.#tools !== null && !this.#isStale) return null;
    this.#link.beginCall();
    try {
      const isReady = await withinDeadline(async (signal) => {
        if (this.#tools === null) await this.#connect(signal);
        this.#isStale = false;
        this.#tools = await listTools(this.#client, { signal, timeout: noTimeout });
        const schema = this.#tools.tools.get(this.#options.toolName)?.outputSchema;
        this.#check = schema === undefined ? null : await outputCheck(schema as JsonSchema);
        return true;
      }, limits);
      return isReady === null ? "silent" : null;
    } catch (error) {
      limits.signal.throwIfAborted();
      return this.#faultOf(error);
    } finally {
      this.#link.endCall();
    }
  }

  async #connect(signal: AbortSignal): Promise<void> {
    const { route } = this.#options;
    try {
      await this.#client.connect(this.#link.transport, { signal, timeout: noTimeout });
    } catch (error) {
      const refused = this.#link;
      const other = route.instead(refused);
      if (other === null) throw error;
      await refused.kill();
      this.#link = other;
      this.#client = this.#newClient();
      await this.#client.connect(other.transport, { signal, timeout: noTimeout }).catch((second: Error) => {
        this.#refusal = refused.fault; // the first answer is the one that helps; the second protocol was a guess
        throw second;
      });
    }
    route.keep(this.#link);
  }

  #newClient(): Client {
    const client = new Client(
      { name: "eval-skills", version: this.#options.version },
      {
        capabilities: { elicitation: { form: {} } },
        // Answers are checked here, with the same validator as everywhere else; theirs need not be built.
        jsonSchemaValidator: {
          getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
        },
      },
    );
    client.setRequestHandler("elicitation/create", answerElicitation);
    client.setNotificationHandler("notifications/tools/list_changed", () => {
      this.#isStale = true;
    });
    client.onerror = (error) => this.#link.hearError(error);
    return client;
  }

  #read(result: ToolResult, evidence: Evidence): Outcome {
    const read = readToolResult(result);
    if (read.kind === "fault") return this.#outcomeOf(read.fault, evidence);
    const { problems, warnings } = this.#check?.(result.structuredContent) ?? { problems: [], warnings: [] };
    if (problems.length > 0) {
      const message = `the answer breaks the tool's own outputSchema: ${problems.join("; ")}`;
      return this.#outcomeOf(
        { status: "failed", cause: "bad-response", message: shorten(message, 4096) },
        evidence,
      );
    }
    const seen = this.#seen(evidence, [...read.warnings, ...warnings]);
    return { ...seen, status: "answered", output: read.output, usage: read.usage };
  }

  #outcomeOf(fault: LinkFault, evidence: Evidence): Outcome {
    return { ...this.#seen(evidence), ...fault };
  }

  #timedOut({ deadlineMs }: CallLimits, evidence: Evidence, where = ""): Outcome {
    const message = `${silenceMessage(deadlineMs)}${where}`;
    return { ...this.#seen(evidence), status: "timed-out", latencyMs: deadlineMs, message };
  }

  #seen(evidence: Evidence, found: readonly string[] = []): Evidence {
    const { warnings: heard = [], ...rest } = this.#link.takeEvidence();
    const changed = this.#tools === null ? null : this.#options.pin.compare(this.#tools);
    const announced = this.#isStale ? ["the server says that its tools changed during this call"] : [];
    const warnings = [...found, ...heard, ...(changed === null ? [] : [changed]), ...announced];
    return { ...evidence, ...rest, ...(warnings.length > 0 && { warnings }) };
  }

  #toolMissing(): LinkFault {
    const names = [...(this.#tools?.tools.keys() ?? [])].sort();
    const known = names.length === 0 ? "it has no tools" : `it has ${names.join(", ")}`;
    const message = shorten(`the server has no tool ${this.#options.toolName}; ${known}`, 1000);
    return { status: "failed", cause: "tool-missing", message };
  }

  /** What the connection saw counts more than what the SDK made of it. */
  #faultOf(error: unknown): LinkFault {
    const known = this.#refusal ?? this.#link.fault;
    if (known !== null) return known;
    if (error instanceof ProtocolError) {
      const message = `${shorten(error.message, 4096)} (code ${error.code})`;
      return { status: "failed", cause: "rpc-error", message };
    }
    if (error instanceof TypeError || error instanceof RangeError) throw error; // a mistake of our own
    return { status: "failed", cause: "bad-response", message: shorten((error as Error).message, 4096) };
  }
}
