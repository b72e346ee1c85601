import { StrangerText } from "./stranger-text.tsx";

export interface ExpandButtonProps {
  isOpen: boolean;
  onToggle: () => void;
  /** The id of what it opens. */
  controls: string;
  text: string;
  limit: number;
}

/** The name of a row, which opens and closes what belongs to it. */
export function ExpandButton({ isOpen, onToggle, controls, text, limit }: ExpandButtonProps) {
  return (
    <button type="button" class="expand" aria-expanded={isOpen} aria-controls={controls} onClick={onToggle}>
      <StrangerText text={text} limit={limit} />
    </button>
  );
}
