import type { ComponentChildren } from "preact";
import { ClearFilters } from "./clear-filters.tsx";
import { SearchBox } from "./search-box.tsx";
import { type Chip, StatusChips } from "./status-chips.tsx";

export interface FilterBarProps<Word extends string> {
  /** What is searched: for those who hear it, and shorter for those who see it. */
  label: string;
  placeholder: string;
  text: string;
  onText: (text: string) => void;
  legend: string;
  chips: readonly Chip<Word>[];
  pressed: readonly Word[];
  onPress: (pressed: Word[]) => void;
  /** What is chosen in the choices between; null where all are. */
  chosen: readonly unknown[];
  onClear: () => void;
  children: ComponentChildren;
}

/** Where the reader says which rows to show: a search, choices of its own, how rows ended, and a way back. */
export function FilterBar<Word extends string>(props: FilterBarProps<Word>) {
  const { label, placeholder, text, onText, legend, chips, pressed, onPress, chosen, onClear, children } =
    props;
  const isFiltered = text !== "" || pressed.length > 0 || chosen.some((one) => one !== null);
  return (
    <search class="filters">
      <SearchBox label={label} placeholder={placeholder} text={text} onText={onText} />
      {children}
      <StatusChips legend={legend} chips={chips} pressed={pressed} onPress={onPress} />
      {isFiltered && <ClearFilters onClear={onClear} />}
    </search>
  );
}
