import type { ComponentProps } from "preact";
import { StatusMark } from "./status-mark.tsx";

/** How a row ended: a shape to see, and a word. */
export function StandingCell(props: { mark: ComponentProps<typeof StatusMark>["status"]; standing: string }) {
  const { mark, standing } = props;
  return (
    <td class={`status status-${mark}`}>
      <StatusMark status={mark} />
      <span class="word">{standing}</span>
    </td>
  );
}
