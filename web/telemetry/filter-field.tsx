import { useEffect, useState } from "preact/hooks";

/** A value that must match whole: looked for when it is done, since half of an id matches nothing. */
export function FilterField(props: { label: string; text: string; onText: (text: string) => void }) {
  const { label, text, onText } = props;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  return (
    <label class="searchbox">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={label}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          if (value === "") onText("");
        }}
        onChange={({ currentTarget: { value } }) => onText(value)}
      />
    </label>
  );
}
