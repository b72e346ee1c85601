import type { EventData, EventType } from "../../contract/agent-event.ts";
import { type UnknownItem, unknownItemCode } from "../../contract/agent-origin.ts";
import { sha256 } from "../../shared/json/canonical-json.ts";
import { EmittedCall } from "./emitted-call.ts";
import type { Mapping } from "./map-tool-call.ts";
import { type MappedCall, mappedClasses } from "./mapped-call.ts";
import type { SkillFile } from "./skill-locator.ts";
import type { TraceCall, UnknownEntry } from "./trace.ts";

type Emit = <Type extends EventType>(
  turn: number,
  type: Type,
  data: EventData<Type>,
  atMs: number | null,
) => void;

/** Emits the calls of another agent as native events. Remembers which skills it chose, and how its calls are named here. */
export class CallEmitter {
  readonly #kind: string;
  readonly #emit: Emit;
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<number, number>();
  /** By skill, the call that chose it. */
  readonly #chosen = new Map<string, string>();
  /** What of the trace became no event, or not all that it may be. */
  readonly items: UnknownItem[] = [];

  constructor(kind: string, emit: Emit) {
    this.#kind = kind;
    this.#emit = emit;
  }

  /** Our name for a call of the trace. */
  ownId(foreignId: string): string {
    return this.#ids.get(foreignId) ?? "unknown";
  }

  emit(
    turn: number,
    atMs: number | null,
    call: TraceCall,
    { mapped, hides, isDoubtful = false }: Mapping,
    parent: string | null,
  ): void {
    const emit = <Type extends EventType>(type: Type, data: EventData<Type>) =>
      this.#emit(turn, type, data, atMs);
    const first = this.#nextId(turn);
    for (const [at, one] of mapped.entries()) {
      const id = at === 0 ? first : this.#nextId(turn);
      const about = { parent, kind: this.#kind, partOf: at === 0 ? null : first };
      const emitted = new EmittedCall(emit, id, call, about);
      if (at === 0 && call.id !== null) this.#ids.set(call.id, emitted.id);
      if (emitted.isOpen || isDoubtful) planOnly(emitted, one);
      else if (one.kind === "select") this.#select(emitted, one);
      else if (one.kind === "body") this.#body(emitted, one.file);
      else if (one.kind === "resource") emitResource(emitted, one);
      else if (one.kind === "script") emitScript(emitted, one);
      else emitTool(emitted, one);
    }
    const { place, result, denied } = call;
    const content = JSON.stringify([call.tool, call.arguments]);
    const item = { ...place, sha256: sha256(content) };
    if (denied === null && result === null) {
      const couldBe = [
        ...mapped.flatMap(mappedClasses),
        ...hides,
        "turn" as const,
        "result" as const,
        "approval" as const,
      ];
      this.#unknown(turn, atMs, { ...item, kind: "no result", couldBe }, first);
    } else if (isDoubtful) {
      const couldBe = [...mapped.flatMap(mappedClasses), ...hides, "result" as const];
      this.#unknown(
        turn,
        atMs,
        { ...item, kind: call.arguments === null ? "arguments" : "doubtful", couldBe },
        first,
      );
    } else if (denied === null && hides.length > 0) {
      const kind = call.arguments === null ? "arguments" : "opaque";
      this.#unknown(turn, atMs, { ...item, kind, couldBe: hides }, first);
    }
  }

  /** What of the trace became no event, or not all that it may be. */
  unknown(turn: number, atMs: number | null, entry: UnknownEntry): void {
    this.#unknown(turn, atMs, entry, null);
  }

  #unknown(turn: number, atMs: number | null, entry: UnknownEntry, callId: string | null): void {
    const { line, location, kind, couldBe } = entry;
    const unknown = {
      ...{ line, location: location || "the file", kind, sha256: entry.sha256 },
      could_be: [...new Set(couldBe)],
    };
    this.items.push(unknown);
    this.#emit(
      turn,
      "error_occurred",
      {
        code: unknownItemCode,
        message: `${unknown.location}: ${unknownWords(kind)}`,
        fatal: false,
        ...(callId === null ? {} : { call_id: callId }),
        unknown,
      },
      atMs,
    );
  }

  answer(turn: number, atMs: number | null, content: string): void {
    const call_id = this.#nextId(turn);
    this.#emit(
      turn,
      "action_planned",
      { call_id, action: { type: "final_answer", payload: { content } } },
      atMs,
    );
    this.#emit(turn, "action_validated", { call_id, ok: true, warnings: [] }, atMs);
    this.#emit(
      turn,
      "action_executed",
      { call_id, action: "final_answer", started: true, ok: true, result: {} },
      atMs,
    );
  }

  #select(emitted: EmittedCall, { skills }: MappedCall & { kind: "select" }): void {
    const hint = skills.map(({ sourceHint }) => sourceHint).find((each) => each !== null) ?? null;
    const action = { type: "select_skills", payload: { skills: skills.map(({ name }) => ({ name })) } };
    emitted.plan(action, { sourceHint: hint });
    // Why another agent could not prepare a skill has no code of ours.
    if (!emitted.accept("unknown")) return;
    for (const { name } of skills) {
      this.#chosen.set(name, emitted.id);
      // An agent that is given a skill gets its instructions; how much of them is not recorded.
      emitted.load("skill_loaded", { skill: name, path: "SKILL.md", inferred: true });
    }
    emitted.execute("select_skills");
    emitted.observe();
  }

  /** Reading the instructions of a skill counts as choosing it. */
  #body(emitted: EmittedCall, file: SkillFile): void {
    const chosenBy = this.#chosen.get(file.skill);
    if (chosenBy !== undefined) {
      // Read once more, by whoever has it already.
      const payload = { skill: { name: file.skill }, relative_path: file.path };
      emitted.plan({ type: "load_resource", payload }, { inferred: file.inferred });
      emitted.accept(null);
      if (!emitted.isRefused) emitted.load("skill_loaded", file, chosenBy);
      emitted.execute("load_resource", { skill: file.skill });
      emitted.observe();
      return;
    }
    emitted.plan({ type: "select_skills", payload: { skills: [{ name: file.skill }] } }, { inferred: true });
    if (!emitted.accept("IOError")) return;
    this.#chosen.set(file.skill, emitted.id);
    emitted.load("skill_loaded", file);
    emitted.execute("select_skills");
    emitted.observe();
  }

  #nextId(turn: number): string {
    const count = (this.#counts.get(turn) ?? 0) + 1;
    this.#counts.set(turn, count);
    return count === 1 ? `c${turn}` : `c${turn}-${count}`;
  }
}

/** A call without a result, of which nobody knows whether it ran: only its plan is certain. */
function planOnly(emitted: EmittedCall, one: MappedCall): void {
  switch (one.kind) {
    case "select":
      emitted.plan(
        { type: "select_skills", payload: { skills: one.skills.map(({ name }) => ({ name })) } },
        {},
      );
      break;
    case "body":
      emitted.plan(
        { type: "select_skills", payload: { skills: [{ name: one.file.skill }] } },
        { inferred: true },
      );
      break;
    case "resource":
    case "script": {
      const type = one.kind === "script" ? "run_script" : "load_resource";
      const payload = { skill: { name: one.file.skill }, relative_path: one.file.path };
      emitted.plan({ type, payload }, { inferred: one.file.inferred });
      break;
    }
    case "tool":
      emitted.plan({ type: "call_tool", payload: { tool: one.tool, arguments: one.arguments } }, {});
  }
}

/** Why something is unknown, for people. */
export function unknownWords(kind: string): string {
  return Object.hasOwn(words, kind) ? (words[kind] ?? kind) : kind;
}

const words: Readonly<Record<string, string>> = {
  unreadable: "cannot be parsed",
  repeated: "repeats an earlier item",
  item: "is an unknown item",
  field: "has an unknown field",
  "no call": "is a result without a call",
  "no result": "the call has no result; whether it ran is unknown",
  "no reply": "follows a prompt that has no reply",
  "no name": "the call has no name",
  "no end": "the trace ends before the agent answered",
  doubtful: "what it did is not recorded well enough to say which action it was",
  "no agent": "the turns of the agent that it started are missing",
  gap: "something is missing before it",
  compacted: "the conversation was compacted",
  arguments: "the arguments cannot be read",
  opaque: "may have done more than is recorded",
  reply: "the content of the reply is not recorded",
};

function emitResource(emitted: EmittedCall, { file, section }: MappedCall & { kind: "resource" }): void {
  const hint = section === undefined ? {} : { section_hint: section };
  const payload = { skill: { name: file.skill }, relative_path: file.path, ...hint };
  emitted.plan({ type: "load_resource", payload }, { inferred: file.inferred });
  emitted.accept(null);
  if (!emitted.isRefused) emitted.load("resource_loaded", file);
  emitted.execute("load_resource", { skill: file.skill });
  emitted.observe();
}

function emitScript(emitted: EmittedCall, { file, args }: MappedCall & { kind: "script" }): void {
  const payload = { skill: { name: file.skill }, relative_path: file.path, args: [...args] };
  emitted.plan({ type: "run_script", payload }, { inferred: file.inferred });
  emitted.accept(null);
  emitted.execute("run_script", { skill: file.skill, tool: "run_script" });
  emitted.observe();
}

function emitTool(emitted: EmittedCall, one: MappedCall & { kind: "tool" }): void {
  emitted.plan({ type: "call_tool", payload: { tool: one.tool, arguments: one.arguments } }, {});
  emitted.accept(null);
  emitted.execute("call_tool", { tool: one.tool });
  emitted.observe();
}
