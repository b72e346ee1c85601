import { Choice } from "./choice.tsx";
import { itemAt, placeIn } from "./chosen-place.ts";

/** A choice of one item or of all; an item is shown by its own name where no words are given. */
export function ChoiceOf<Item extends string>(props: {
  label: string;
  all: string;
  items: readonly Item[];
  words?: readonly string[];
  chosen: Item | null;
  onChoose: (item: Item | null) => void;
}) {
  const { label, all, items, words = items, chosen, onChoose } = props;
  return (
    <Choice
      label={label}
      all={all}
      options={words}
      chosen={placeIn(items, chosen)}
      onChoose={(place) => onChoose(itemAt(items, place))}
    />
  );
}
