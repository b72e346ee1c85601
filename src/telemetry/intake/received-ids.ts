import { createHash } from "node:crypto";
import type { TelemetryContext } from "../../contract/telemetry.ts";
import { derivedEventId, isReportedTwice, randomEventId } from "../event-id.ts";

/** What an id is made of, and the text of the event as it came. */
export interface WithoutId {
  name: string;
  source: string;
  context: TelemetryContext;
  text: string;
}

const maxTurns = 2000;
const maxEventsPerTurn = 100;

/**
 * Gives ids to events that came without one. What two sides can report gets the id that both derive, by its index among
 * those its side reported of the turn; one that is sent again keeps its index. Clients cannot make this memory grow.
 */
export class ReceivedIds {
  readonly #turns = new Map<string, Map<string, number>>();

  idOf(event: WithoutId, nowMs: number): string {
    const ordinal = isReportedTwice(event.name) ? this.#findOrdinal(event) : null;
    const derived = ordinal === null ? null : derivedEventId(event.name, event.context, ordinal);
    return derived ?? randomEventId(nowMs);
  }

  #findOrdinal({ name, source, context: { session_id, turn_id, block_id }, text }: WithoutId): number | null {
    if (!session_id || !turn_id) return null;
    const turn = this.#turnOf(
      hashParts(JSON.stringify([source, name, session_id, turn_id, block_id ?? null])),
    );
    const print = hashParts(text);
    const before = turn.get(print);
    if (before !== undefined) return before;
    if (turn.size >= maxEventsPerTurn) return null;
    turn.set(print, turn.size);
    return turn.size - 1;
  }

  #turnOf(key: string): Map<string, number> {
    const turn = this.#turns.get(key) ?? new Map<string, number>();
    // Last in line: the turn that nobody spoke of for longest is forgotten first.
    this.#turns.delete(key);
    this.#turns.set(key, turn);
    if (this.#turns.size > maxTurns) this.#turns.delete(this.#turns.keys().next().value as string);
    return turn;
  }
}

function hashParts(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
