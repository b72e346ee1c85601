import { countOf } from "../src/base/count-of.ts";
import { StrangerText } from "./stranger-text.tsx";

const shownAtFirst = 5;

/** What a reader should hear before the figures: that there is no verdict, and what the run warned of. */
export function Notices(props: {
  /** Why there is no verdict; null where there is one. */
  invalid: string | null;
  warnings: readonly string[];
  isPrinting: boolean;
}) {
  const { invalid, warnings, isPrinting } = props;
  const rest = warnings.slice(shownAtFirst);
  if (invalid === null && warnings.length === 0) return null;
  return (
    <div class="notices">
      {invalid !== null && <p class="notice notice-invalid">{invalid}</p>}
      {warnings.length > 0 && (
        <section class="notice" aria-labelledby="warnings-title">
          <h2 id="warnings-title">{countOf(warnings.length, "warning")}</h2>
          <Lines texts={warnings.slice(0, shownAtFirst)} />
          {rest.length > 0 && (
            <details open={isPrinting}>
              <summary>{countOf(rest.length, "more warning")}</summary>
              <Lines texts={rest} />
            </details>
          )}
        </section>
      )}
    </div>
  );
}

function Lines({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, place) => (
        <li key={place}>
          <StrangerText text={text} />
        </li>
      ))}
    </ul>
  );
}
