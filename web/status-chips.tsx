import { grouped } from "./grouped.ts";
import { type Mark, StatusMark } from "./status-mark.tsx";

/** Something a row can be, with the mark that stands for it and how many rows are. */
export interface Chip<Word extends string> {
  word: Word;
  mark: Mark;
  count: number;
}

/** Switches that choose rows by how they ended; none pressed shows all. */
export function StatusChips<Word extends string>(props: {
  legend: string;
  chips: readonly Chip<Word>[];
  pressed: readonly Word[];
  onPress: (pressed: Word[]) => void;
}) {
  const { legend, chips, pressed, onPress } = props;
  return (
    <fieldset class="chips">
      <legend class="unseen">{legend}</legend>
      {chips.map(({ word, mark, count }) => {
        const isOn = pressed.includes(word);
        const others = pressed.filter((other) => other !== word);
        return (
          <button
            key={word}
            type="button"
            class={`chip status-${mark}`}
            aria-pressed={isOn}
            disabled={count === 0 && !isOn}
            onClick={() => onPress(isOn ? others : [...others, word])}
          >
            <StatusMark status={mark} size={13} /> {word} <span class="tally">{grouped(count)}</span>
          </button>
        );
      })}
    </fieldset>
  );
}
