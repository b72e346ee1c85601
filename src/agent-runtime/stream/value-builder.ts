import type { Json, JsonObject } from "../../shared/json/json.ts";
import { nowhere, type PathNode, stepInto, stepText } from "./watched-path.ts";

/** Builds the object while it is read: the stack of open containers, where we are in it, and who listens there. */
export class ValueBuilder {
  #tree: readonly PathNode[];
  readonly #frames: Frame[] = [];
  #root: JsonObject = {};
  /** The listeners of the current string, those of its parts, and its path. */
  #listening: readonly PathNode[] = nowhere;
  #onPart: ((text: string, path: string) => void) | null = null;
  #path = "";
  #hasReported = false;

  constructor(tree: PathNode) {
    this.#tree = [tree];
  }

  get depth(): number {
    return this.#frames.length;
  }

  get isInArray(): boolean {
    return Array.isArray(this.#frames.at(-1)?.container);
  }

  /** The object that was closed last. */
  get root(): JsonObject {
    return this.#root;
  }

  /** How many objects are open, arrays left out. */
  openObjects(): number {
    return this.#frames.filter(({ container }) => !Array.isArray(container)).length;
  }

  /** Drops an object that turned out to be invalid. Its listeners get nothing more: two objects would become one. */
  abandon(): void {
    this.#frames.length = 0;
    this.#onPart = null;
    if (this.#hasReported) this.#tree = nowhere;
  }

  open(container: JsonObject | Json[]): void {
    this.#frames.push({ container, key: "", listening: this.#listenersHere() });
  }

  /** Says false if the object has this key already. */
  beginMember(key: string): boolean {
    const frame = this.#top();
    if (Object.hasOwn(frame.container, key)) return false;
    frame.key = key;
    return true;
  }

  beginString(): void {
    this.#listening = this.#listenersHere();
    this.#onPart = asOne(this.#listening.flatMap(({ incremental }) => incremental));
    if (this.#onPart !== null) this.#path = this.#pathHere();
  }

  /** Whether a listener wants the current string in parts. */
  get isWatched(): boolean {
    return this.#onPart !== null;
  }

  emitPart(text: string): void {
    this.#hasReported = true;
    this.#onPart?.(text, this.#path);
  }

  endString(text: string): void {
    this.#onPart = null;
    this.#put(text, this.#listening);
  }

  addScalar(value: null | boolean | number): void {
    this.#put(value, this.#listenersHere());
  }

  /** Closes the innermost container. */
  close(): void {
    const { container, listening } = this.#frames.pop() as Frame;
    if (this.#frames.length > 0) this.#put(container, listening);
    else {
      this.#root = container as JsonObject;
      this.#emit(container, listening);
    }
  }

  #put(value: Json, listening: readonly PathNode[]): void {
    this.#emit(value, listening);
    const { container, key } = this.#top();
    if (Array.isArray(container)) container.push(value);
    else if (key === "__proto__")
      // Assigned, it would become the prototype.
      Object.defineProperty(container, key, { value, writable: true, enumerable: true, configurable: true });
    else container[key] = value;
  }

  #emit(value: Json, listening: readonly PathNode[]): void {
    for (const { realtime } of listening)
      for (const on of realtime) {
        this.#hasReported = true;
        on(value, this.#pathHere());
      }
  }

  #listenersHere(): readonly PathNode[] {
    const frame = this.#frames.at(-1);
    return frame === undefined ? this.#tree : stepInto(frame.listening, currentStep(frame));
  }

  #pathHere(): string {
    return `$${this.#frames.map((frame) => stepText(currentStep(frame))).join("")}`;
  }

  #top(): Frame {
    return this.#frames.at(-1) as Frame;
  }
}

interface Frame {
  container: JsonObject | Json[];
  /** Of the current member. */
  key: string;
  listening: readonly PathNode[];
}

function currentStep({ container, key }: Frame): string | number {
  return Array.isArray(container) ? container.length : key;
}

/** One listener for all, for there is one as a rule and parts are many. */
function asOne<Listener extends (text: string, path: string) => void>(
  all: readonly Listener[],
): Listener | null {
  if (all.length < 2) return all[0] ?? null;
  return ((text, path) => {
    for (const listener of all) listener(text, path);
  }) as Listener;
}
