import type { EventData, EventType } from "../../contract/agent-event.ts";
import type { MappedCall } from "./map-tool-call.ts";
import type { SkillPlace } from "./skill-places.ts";
import { ToldCall } from "./told-call.ts";
import type { TraceCall } from "./trace.ts";

type Tell = <Type extends EventType>(
  turn: number,
  type: Type,
  data: EventData<Type>,
  atMs: number | null,
) => void;

/** Tells calls of another agent in events of ours. Remembers which skills it chose, and how its calls are named here. */
export class CallTeller {
  readonly #kind: string;
  readonly #tell: Tell;
  readonly #ids = new Map<string, string>();
  readonly #counts = new Map<number, number>();
  /** By skill, the call that chose it. */
  readonly #chosen = new Map<string, string>();

  constructor(kind: string, tell: Tell) {
    this.#kind = kind;
    this.#tell = tell;
  }

  /** Our name for a call of the trace. */
  ownId(foreignId: string): string {
    return this.#ids.get(foreignId) ?? "unknown";
  }

  tell(
    turn: number,
    atMs: number | null,
    call: TraceCall,
    mapped: readonly MappedCall[],
    parent: string | null,
  ): void {
    const say = <Type extends EventType>(type: Type, data: EventData<Type>) =>
      this.#tell(turn, type, data, atMs);
    for (const [at, one] of mapped.entries()) {
      const told = new ToldCall(say, this.#nextId(turn), call, parent, this.#kind);
      if (at === 0 && call.id !== null) this.#ids.set(call.id, told.id);
      if (one.kind === "select") this.#select(told, one);
      else if (one.kind === "body") this.#body(told, one.place);
      else if (one.kind === "resource") tellResource(told, one);
      else if (one.kind === "script") tellScript(told, one);
      else tellTool(told, one);
    }
  }

  answer(turn: number, atMs: number | null, content: string): void {
    const call_id = this.#nextId(turn);
    this.#tell(
      turn,
      "action_planned",
      { call_id, action: { type: "final_answer", payload: { content } } },
      atMs,
    );
    this.#tell(turn, "action_validated", { call_id, ok: true, warnings: [] }, atMs);
    this.#tell(
      turn,
      "action_executed",
      { call_id, action: "final_answer", started: true, ok: true, result: {} },
      atMs,
    );
  }

  #select(told: ToldCall, { skills }: MappedCall & { kind: "select" }): void {
    const hint = skills.map(({ sourceHint }) => sourceHint).find((each) => each !== null) ?? null;
    const action = { type: "select_skills", payload: { skills: skills.map(({ name }) => ({ name })) } };
    told.plan(action, { sourceHint: hint });
    if (!told.accept("SkillNotFound")) return;
    for (const { name } of skills) {
      this.#chosen.set(name, told.id);
      // Whoever is handed a skill is handed its instructions; how much of them is not told.
      told.load("skill_loaded", { skill: name, path: "SKILL.md", inferred: true });
    }
    told.execute("select_skills");
    told.observe();
  }

  /** Who reads the instructions of a skill has chosen it, also without saying so. */
  #body(told: ToldCall, place: SkillPlace): void {
    const chosenBy = this.#chosen.get(place.skill);
    if (chosenBy !== undefined) {
      if (!told.isRefused) told.load("skill_loaded", place, chosenBy);
      return;
    }
    told.plan({ type: "select_skills", payload: { skills: [{ name: place.skill }] } }, { inferred: true });
    if (!told.accept("IOError")) return;
    this.#chosen.set(place.skill, told.id);
    told.load("skill_loaded", place);
    told.execute("select_skills");
    told.observe();
  }

  #nextId(turn: number): string {
    const count = (this.#counts.get(turn) ?? 0) + 1;
    this.#counts.set(turn, count);
    return count === 1 ? `c${turn}` : `c${turn}-${count}`;
  }
}

function tellResource(told: ToldCall, { place, section }: MappedCall & { kind: "resource" }): void {
  const hint = section === undefined ? {} : { section_hint: section };
  const payload = { skill: { name: place.skill }, relative_path: place.path, ...hint };
  told.plan({ type: "load_resource", payload }, { inferred: place.inferred });
  told.accept(null);
  if (!told.isRefused) told.load("resource_loaded", place);
  told.execute("load_resource", { skill: place.skill });
  told.observe();
}

function tellScript(told: ToldCall, { place, args }: MappedCall & { kind: "script" }): void {
  const payload = { skill: { name: place.skill }, relative_path: place.path, args: [...args] };
  told.plan({ type: "run_script", payload }, { inferred: place.inferred });
  told.accept(null);
  told.execute("run_script", { skill: place.skill, tool: "run_script" });
  told.observe();
}

function tellTool(told: ToldCall, one: MappedCall & { kind: "tool" }): void {
  told.plan({ type: "call_tool", payload: { tool: one.tool, arguments: one.arguments } }, {});
  told.accept(null);
  told.execute("call_tool", { tool: one.tool });
  told.observe();
}
