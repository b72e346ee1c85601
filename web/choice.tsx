import { shorten } from "../src/base/visible-text.ts";
import { readableText } from "../src/reporters/html-text.ts";

/** A choice among texts that others wrote; options go by place, since any text may be one of them. */
export function Choice(props: {
  label: string;
  all: string;
  options: readonly string[];
  chosen: number | null;
  onChoose: (place: number | null) => void;
}) {
  const { label, all, options, chosen, onChoose } = props;
  return (
    <label>
      <span class="unseen">{label}</span>
      <select
        value={chosen === null ? "" : String(chosen)}
        onChange={({ currentTarget: { value } }) => onChoose(value === "" ? null : Number(value))}
      >
        <option value="">{all}</option>
        {options.map((option, place) => (
          <option key={place} value={String(place)}>
            {readableText(shorten(option, 60))}
          </option>
        ))}
      </select>
    </label>
  );
}
