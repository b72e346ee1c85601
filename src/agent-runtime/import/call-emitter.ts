import type { EventData, EventType } from "../../contract/agent-event.ts";
import { EmittedCall } from "./emitted-call.ts";
import type { MappedCall } from "./map-tool-call.ts";
import type { SkillFile } from "./skill-locator.ts";
import type { TraceCall } from "./trace.ts";

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
    mapped: readonly MappedCall[],
    parent: string | null,
  ): void {
    const emit = <Type extends EventType>(type: Type, data: EventData<Type>) =>
      this.#emit(turn, type, data, atMs);
    for (const [at, one] of mapped.entries()) {
      const emitted = new EmittedCall(emit, this.#nextId(turn), call, parent, this.#kind);
      if (at === 0 && call.id !== null) this.#ids.set(call.id, emitted.id);
      if (one.kind === "select") this.#select(emitted, one);
      else if (one.kind === "body") this.#body(emitted, one.file);
      else if (one.kind === "resource") emitResource(emitted, one);
      else if (one.kind === "script") emitScript(emitted, one);
      else emitTool(emitted, one);
    }
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
    if (!emitted.accept("SkillNotFound")) return;
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
      if (!emitted.isRefused) emitted.load("skill_loaded", file, chosenBy);
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
