import { isMap } from "../../../shared/json/json-values.ts";
import { parseStrictJson } from "../../../shared/json/strict-json.ts";
import { shownText } from "../../../shared/text/visible-text.ts";
import type { ServiceWords } from "./plan-source.ts";

/** The event that ends the answer of a service. */
export interface FinalResult extends ServiceWords {
  /** The plan as text; empty where there is none. */
  output: string;
}

/** Collects the events of a service, counts them, and finds the one that ends the answer. */
export class ServiceAnswer {
  readonly #counts = new Map<string, number>();
  #final: Omit<FinalResult, "events"> | null = null;
  #failure: string | null = null;

  add(lines: readonly string[]): void {
    for (const event of eventsIn(lines)) {
      if (this.isOver) return;
      this.#count(event.type);
      if (event.type === "final_result") this.#final = readFinal(event);
      if (event.type === "error") this.#failure = failureWords(event);
    }
  }

  /** Whether the event that ends an answer was there. */
  get isOver(): boolean {
    return this.#final !== null || this.#failure !== null;
  }

  /** Why the service could not answer, if it said so. */
  get failure(): string | null {
    return this.#failure;
  }

  get events(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }

  get final(): FinalResult | null {
    return this.#final && { ...this.#final, events: this.events };
  }

  #count(type: string): void {
    const hasRoom = this.#counts.has(type) || this.#counts.size < maxTypes;
    const name = hasRoom ? type : "(others)";
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

const maxTypes = 100;

interface ServiceEvent {
  type: string;
  value: Readonly<Record<string, unknown>>;
  /** Why its JSON cannot be trusted; null where it can. */
  problem: string | null;
}

/** Some services leave out the blank line between events: then each line is one. */
function eventsIn(sent: readonly string[]): ServiceEvent[] {
  // Many services end a stream with this line, which is not an event.
  const lines = sent.filter((line) => line.trim() !== "[DONE]");
  if (lines.length === 0) return [];
  const whole = readEvent(lines.join("\n"));
  if (whole !== null) return [whole];
  const each = lines.map(readEvent).filter((event) => event !== null);
  return each.length > 0 ? each : [{ type: "(no JSON)", value: {}, problem: null }];
}

function readEvent(text: string): ServiceEvent | null {
  const read = parseStrictJson(text);
  const value = read.ok ? read.value : parsed(text);
  if (!isMap(value)) return null;
  const type = typeof value.type === "string" ? shownText(value.type, maxTypeLength) : "(no type)";
  return { type, value, problem: read.ok ? null : read.problem };
}

const maxTypeLength = 64;

/** Accepts what `JSON.parse` does, such as duplicate keys. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readFinal({ value, problem }: ServiceEvent): Omit<FinalResult, "events"> {
  // The real service puts the members inside `result`; others, beside `type`.
  const members = isMap(value.result) ? value.result : value;
  const { success, plan, attempt_count: attempts, error } = members;
  const facts = {
    claimedOk: typeof success === "boolean" ? success : null,
    repairs: Number.isSafeInteger(attempts) && (attempts as number) >= 1 ? (attempts as number) - 1 : null,
  };
  if (problem !== null) return { ...facts, output: "", problem };
  if (plan === undefined || plan === null) return { ...facts, output: "", problem: noPlan(error) };
  return { ...facts, output: typeof plan === "string" ? plan : JSON.stringify(plan), problem: null };
}

function noPlan(error: unknown): string {
  const reason = reasonIn(error);
  return reason === null ? "there is no plan" : `there is no plan: ${reason}`;
}

function failureWords({ value }: ServiceEvent): string {
  return `the service failed: ${reasonIn(value.error ?? value.message) ?? "it gives no reason"}`;
}

/** A text, or an object with `type` and `message`. */
function reasonIn(error: unknown): string | null {
  if (error === undefined || error === null) return null;
  if (typeof error === "string") return shownText(error, 300);
  const { type, message } = isMap(error) ? error : {};
  if (typeof message !== "string") return shownText(JSON.stringify(error), 300);
  return shownText(typeof type === "string" ? `${type}: ${message}` : message, 300);
}
