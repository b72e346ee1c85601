import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

/** One of many parts that a reader opens; what is inside is made when it is first seen, and all of it is printed. */
export function Fold(props: {
  title: ComponentChildren;
  isOpenAtFirst: boolean;
  isPrinting: boolean;
  body: () => ComponentChildren;
}) {
  const { title, isPrinting, body } = props;
  const [isOpen, setOpen] = useState(props.isOpenAtFirst);
  const isShown = isOpen || isPrinting;
  return (
    <details
      class="skill"
      open={isShown}
      onToggle={(event) => {
        if (!isPrinting) setOpen(event.currentTarget.open);
      }}
    >
      <summary>{title}</summary>
      {isShown && body()}
    </details>
  );
}
