import { useState } from "preact/hooks";

const themes = ["system", "light", "dark"] as const;

/** Chooses light or dark for as long as the page is open; at first the system decides. */
export function ThemeToggle() {
  const [theme, setTheme] = useState<(typeof themes)[number]>("system");

  function choose(next: (typeof themes)[number]): void {
    setTheme(next);
    document.documentElement.dataset.theme = next;
  }

  return (
    <fieldset class="theme">
      <legend class="unseen">Colours</legend>
      {themes.map((name) => (
        <button key={name} type="button" aria-pressed={theme === name} onClick={() => choose(name)}>
          {name}
        </button>
      ))}
    </fieldset>
  );
}
