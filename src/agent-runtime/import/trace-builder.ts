import { type UnknownClass, unknownClasses } from "../../contract/agent-origin.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import type { JsonObject } from "../../shared/json/json.ts";
import type { TraceFacts } from "./importer.ts";
import type { TraceItem } from "./read-values.ts";
import type {
  SkillFolder,
  Trace,
  TraceCall,
  TraceEntry,
  TracePlace,
  TraceTurn,
  TraceUsage,
} from "./trace.ts";

export interface OpenTurn extends TraceTurn {
  texts: { text: string; pieces: string[] }[];
  calls: TraceCall[];
  usage: TraceUsage | null;
}

/** One request with all that followed, as it is read. */
interface Session {
  request: string | null;
  entries: TraceEntry[];
  answer: string | null;
  stop: Trace["stop"];
  usage: TraceUsage | null;
  ignored: Map<string, number>;
  /** What was last said by the first agent or to it. */
  last: "nothing" | "prompt" | "calls" | "text" | "result";
  /** Whether the trace says that it ended. */
  isEnded: boolean;
}

/**
 * Puts together what an importer reads, and keeps account: every item ends as a turn, a call or a result, as known to say nothing,
 * or as unknown. A new prompt begins a new run. What must be there and is not, is unknown: a result without its call, a reply
 * between two prompts, an end.
 */
export class TraceBuilder {
  readonly #isJoined: boolean;
  readonly #sessions: Session[] = [];
  readonly #calls = new Map<string, TraceCall[]>();
  readonly #keyed = new Map<string, OpenTurn>();
  readonly #folders: SkillFolder[] = [];
  #facts: TraceFacts = {};
  #place: TracePlace = { line: null, location: "the file" };
  #isAfterBoundary = false;
  /** Whether something unknown, such as a prompt, came after the last reply. */
  #isAfterUnknown = false;
  #needsEnd = false;

  constructor({ join = false }: { join?: boolean } = {}) {
    this.#isJoined = join;
    this.#sessions.push(newSession());
  }

  /** Everything up to the next of these is from this place. */
  at({ line, location }: TracePlace): void {
    this.#place = { line, location };
  }

  /** What is known of all runs of the file; what is said first counts. */
  learn(facts: TraceFacts): void {
    this.#facts = { ...facts, ...this.#facts };
  }

  /** The format always says how a run ended. */
  requireEnd(): void {
    this.#needsEnd = true;
  }

  /** Whether the first agent waits for a result, or got one and has not replied. */
  get isMidRun(): boolean {
    const { isEnded, last } = this.#session;
    return !isEnded && (last === "calls" || last === "result");
  }

  folder(folder: SkillFolder): void {
    this.#folders.push(folder);
  }

  /** What the user asked. With a request before that was answered, another run begins. */
  prompt(text: string): void {
    const { last, request } = this.#session;
    if (last === "prompt") this.unknown("no reply", text);
    else this.restart();
    const session = this.#session;
    session.request =
      session.request === null ? text : last === "prompt" ? `${request}\n\n${text}` : session.request;
    session.last = "prompt";
  }

  /** Something that may stand between two replies of one run, other than a result. */
  boundary(): void {
    this.#isAfterBoundary = true;
  }

  /** A reply of the model. With a key, what bears the same key belongs to the same reply. */
  reply(
    key: string | null,
    {
      parentCall = null,
      atMs = null,
      durationMs = null,
    }: Partial<Pick<TraceTurn, "parentCall" | "atMs" | "durationMs">> = {},
  ): OpenTurn {
    const known = key === null ? undefined : this.#keyed.get(key);
    if (known !== undefined) return known;
    if (parentCall === null) this.#continue(key);
    const turn: OpenTurn = { parentCall, atMs, durationMs, usage: null, texts: [], calls: [] };
    this.#session.entries.push({ turn });
    if (key !== null) this.#keyed.set(key, turn);
    return turn;
  }

  /** A reply without calls ends a run. If another follows, a prompt is missing, and with it the beginning of another run. */
  #continue(key: string | null): void {
    const isGap = this.#session.last === "text" && (!this.#isAfterBoundary || this.#isAfterUnknown);
    if (isGap) {
      if (!this.#isJoined) this.#close();
      this.unknown("gap", key ?? this.#place.location);
    }
    this.#session.last = "text";
    this.#isAfterBoundary = false;
    this.#isAfterUnknown = false;
  }

  /** A call of a tool. An id that was used before is that of another call. */
  call(
    turn: OpenTurn,
    { id, tool, given }: { id: string | null; tool: string | null; given: JsonObject | null },
  ): TraceCall {
    const call: TraceCall = {
      place: this.#place,
      id,
      tool: tool ?? "",
      arguments: given,
      result: null,
      denied: null,
    };
    if (tool === null) this.unknown("no name", given ?? id);
    turn.calls.push(call);
    if (turn.parentCall === null) this.#session.last = "calls";
    if (id !== null) {
      const same = this.#calls.get(id);
      if (same === undefined) this.#calls.set(id, [call]);
      else same.push(call);
    }
    return call;
  }

  /** The last call of this id that has no result yet. */
  openCall(id: string | null): TraceCall | undefined {
    return this.#calls.get(id ?? "")?.findLast(({ result }) => result === null);
  }

  /** The last call of this id. */
  lastCall(id: string | null): TraceCall | undefined {
    return this.#calls.get(id ?? "")?.at(-1);
  }

  /** The end of a call. Without a call that waits for it, it shows that one is missing. */
  result(
    id: string | null,
    result: NonNullable<TraceCall["result"]>,
    { isNested = false } = {},
  ): TraceCall | null {
    if (!isNested) this.#session.last = "result";
    const call = this.openCall(id);
    if (call === undefined) {
      this.unknown("no call", { id, result });
      return null;
    }
    call.result = result;
    return call;
  }

  /** Something that may be what these words say; by default, anything. */
  unknown(kind: string, content: unknown, couldBe: readonly UnknownClass[] = unknownClasses): void {
    const text = typeof content === "string" ? content : (JSON.stringify(content) ?? "");
    this.#isAfterUnknown = true;
    const entry = { unknown: { ...this.#place, kind, sha256: sha256(text), couldBe } };
    const { entries } = this.#session;
    // A reply may come in several lines, so what is found after one may belong before its calls.
    const last = entries.at(-1);
    entries.splice(last !== undefined && "turn" in last ? entries.length - 1 : entries.length, 0, entry);
  }

  /** Something that is known and says nothing about what was done. */
  ignore(what: string): void {
    const { ignored } = this.#session;
    ignored.set(what, (ignored.get(what) ?? 0) + 1);
  }

  /** Members of an item that nobody knows. A call needs a list or a map, so a single value cannot hide one. */
  onlyKnown(value: Record<string, unknown>, known: ReadonlySet<string>): void {
    for (const [name, member] of Object.entries(value)) {
      if (known.has(name)) continue;
      const isPlain = typeof member !== "object" || member === null || Object.keys(member).length === 0;
      if (isPlain) this.ignore(`field ${name}`);
      else this.unknown("field", { [name]: member });
    }
  }

  /** An item that is no value of its format: unreadable, or the same as the one before. */
  broken(item: TraceItem): boolean {
    this.at(item);
    if (item.problem === null) return false;
    this.unknown(item.problem, item.text);
    return true;
  }

  /** The trace says how the run ended. */
  end({
    answer,
    stop,
    usage,
  }: {
    answer: string | null;
    stop: Trace["stop"];
    usage: TraceUsage | null;
  }): void {
    const session = this.#session;
    Object.assign(session, { answer, stop, usage, isEnded: true });
    // It answered, and the answer is not there.
    if (stop?.reason === "final_answer" && session.last !== "text") this.unknown("gap", "no answer");
  }

  /** What was answered, where the trace says so apart from the replies. */
  answer(text: string): void {
    this.#session.answer = text;
  }

  /** Another conversation begins. */
  next(): void {
    const { request, entries } = this.#session;
    if (!this.#isJoined && (request !== null || entries.length > 0)) this.#close();
  }

  /** The program begins again: another run, unless it is that of a prompt that waits. */
  restart(): void {
    if (this.#hasTurns() || this.#session.isEnded) this.next();
  }

  traces(): Trace[] {
    this.#close();
    const facts = this.#facts;
    return this.#sessions
      .filter(({ entries, request }) => request !== null || entries.length > 0)
      .map(({ request, entries, answer, stop, usage, ignored }) => ({
        model: { provider: null, name: null },
        cwd: null,
        tools: null,
        skills: null,
        recordsDenials: false,
        recordsCalls: true,
        ...facts,
        skillFolders: this.#folders,
        request,
        entries,
        answer,
        stop,
        usage,
        ignored: Object.fromEntries(ignored),
      }));
  }

  get #session(): Session {
    return this.#sessions.at(-1) ?? newSession();
  }

  #hasTurns(): boolean {
    return this.#session.entries.some((entry) => "turn" in entry);
  }

  #close(): void {
    const { last, isEnded, entries } = this.#session;
    const isEmpty = last === "nothing" && entries.length === 0;
    if (!isEnded && !isEmpty && (this.#needsEnd || last !== "text")) this.unknown("no end", last);
    this.#sessions.push(newSession());
    this.#isAfterBoundary = false;
    this.#isAfterUnknown = false;
  }
}

function newSession(): Session {
  return {
    request: null,
    entries: [],
    answer: null,
    stop: null,
    usage: null,
    ignored: new Map(),
    last: "nothing",
    isEnded: false,
  };
}
