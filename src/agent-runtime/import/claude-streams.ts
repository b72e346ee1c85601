import { mapIn, numberIn, textIn } from "./read-values.ts";
import type { OpenTurn } from "./trace-builder.ts";

/** The pieces in which Claude Code streams the texts of replies. */
export class StreamedTexts {
  /** By message, block by block. */
  readonly #pieces = new Map<string, string[][]>();
  readonly #turns = new Map<string, OpenTurn>();
  /** The message that is streamed, by the agent that streams it. */
  readonly #streamed = new Map<string, string>();

  read(line: Record<string, unknown>, parent: string | null): void {
    const event = mapIn(line.event);
    const agent = parent ?? "";
    if (event.type === "message_start") this.#streamed.set(agent, textIn(mapIn(event.message).id) ?? "");
    const { type, text } = mapIn(event.delta);
    if (event.type !== "content_block_delta" || type !== "text_delta" || typeof text !== "string") return;
    const id = this.#streamed.get(agent) ?? "";
    const blocks = this.#pieces.get(id) ?? [];
    this.#pieces.set(id, blocks);
    const index = Math.max(0, Math.min(numberIn(event.index) ?? 0, maxBlocks));
    blocks[index] ??= [];
    blocks[index].push(text);
  }

  belongTo(message: string, turn: OpenTurn): void {
    this.#turns.set(message, turn);
  }

  /** Gives the texts of replies their pieces. */
  end(): void {
    for (const [id, turn] of this.#turns) {
      // Blocks of thought and calls have numbers too: those of text come in the same order.
      const pieces = (this.#pieces.get(id) ?? []).filter((each) => each !== undefined);
      for (const [at, block] of turn.texts.entries()) block.pieces = pieces[at] ?? [];
    }
  }
}

const maxBlocks = 1000;
