import type { AgentSkill, Loaded } from "../../contract/agent-parts.ts";
import { rulesText } from "../decide/prompt-text.ts";
import { observationLine, observationText, type RecordedObservation } from "./observations.ts";
import {
  type ContextPart,
  contextPart,
  type Material,
  type ShortenablePart,
  shortenablePart,
} from "./pack-context.ts";
import { quotedText } from "./quoted-text.ts";

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

  /** Shown once, in the next prompt. */
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

/** How much of a description a model is shown, and how much where there is no room. */
const maxDescriptionLength = 1024;
const shortDescription = 200;

/** The skills a model may choose among: one line each, nothing of their bodies. */
function indexLines(skills: readonly AgentSkill[], longest: number): string {
  const lines = skills.map(({ name, description, source }) => {
    return `- ${quotedText(name, maxDescriptionLength)}: ${quotedText(description, longest)} (${source})`;
  });
  return ["SKILLS you can select (name: description, source):", ...lines].join("\n");
}
