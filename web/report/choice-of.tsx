import { readableText } from "../../src/report/text/html-text.ts";
import { cutWords } from "../../src/report/view/wrap-words.ts";

/** A choice of one item or of all, among texts that others wrote; an item is shown by its own name where no words are given. */
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
    <label>
      <span class="unseen">{label}</span>
      {/* Options go by index, since any text may be one of them. */}
      <select
        value={chosen === null ? "" : String(items.indexOf(chosen))}
        onChange={({ currentTarget: { value } }) =>
          onChoose(items[value === "" ? -1 : Number(value)] ?? null)
        }
      >
        <option value="">{all}</option>
        {words.map((word, at) => (
          <option key={at} value={String(at)}>
            {readableText(cutWords(word, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}
