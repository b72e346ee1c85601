import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import { rulesText } from "../decide/rules.ts";
import { type ContextPart, contextPart, type ShortenablePart, shortenablePart } from "./context-parts.ts";
import { indexLines, maxDescriptionLength, shortDescription } from "./index-lines.ts";
import { observationLine, observationText, type RecordedObservation } from "./observations.ts";
import type { Material } from "./pack-context.ts";

type LoadedText = Pick<Loaded & { ok: true }, "block" | "outline">;

/** Collects what a model has been shown, so that the next prompt can hold it. */
export class ContextMemory {
  readonly #request: ContextPart;
  readonly #index: ShortenablePart | null;
  readonly #bodies: ContextPart[] = [];
  #resources: ShortenablePart[] = [];
  readonly #observations: ShortenablePart[] = [];
  #notices: ContextPart[] = [];

  /** Only the skills that the model may choose by itself. */
  constructor(request: string, skills: readonly AgentSkill[]) {
    this.#request = contextPart("request", `USER REQUEST\n${request}`);
    this.#index =
      skills.length === 0
        ? null
        : shortenablePart("index", indexLines(skills, maxDescriptionLength), () =>
            indexLines(skills, shortDescription),
          );
  }

  /** `event` is the id of the load event. */
  addBody({ block }: LoadedText, event: string): void {
    this.#bodies.push(contextPart("body", block, event));
  }

  /** One that was read before and is the same is not shown twice. */
  addResource({ block, outline }: LoadedText, event: string): void {
    this.#resources = this.#resources.filter(({ whole }) => whole.text !== block);
    this.#resources.push(shortenablePart("resource", block, () => outline, event));
  }

  addObservation(observation: RecordedObservation, event: string): void {
    const text = observationText(observation);
    this.#observations.push(shortenablePart("observation", text, () => observationLine(observation), event));
  }

  /** Told once, in the next prompt. */
  addNotice(text: string): void {
    this.#notices.push(contextPart("notice", text));
  }

  takeMaterial(state: string): Material {
    const notices = this.#notices;
    this.#notices = [];
    return {
      rules,
      request: this.#request,
      state: contextPart("state", state),
      index: this.#index,
      bodies: this.#bodies,
      resources: this.#resources,
      observations: this.#observations,
      notices,
    };
  }
}

const rules = contextPart("rules", rulesText);
