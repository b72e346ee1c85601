import { useEffect, useRef, useState } from "preact/hooks";

const pauseMs = 120;

/** Searches once the reader pauses, so that typing stays fluid over many rows. */
export function SearchBox(props: {
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
}) {
  const { label, placeholder, text, onText } = props;
  const [typed, setTyped] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setTyped(text), [text]);

  function type(next: string): void {
    setTyped(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onText(next), pauseMs);
  }

  return (
    <label class="searchbox">
      <span class="unseen">{label}</span>
      <input
        type="search"
        placeholder={placeholder}
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
      />
    </label>
  );
}
