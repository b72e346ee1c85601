import { useMemo } from "preact/hooks";
import { ChoiceOf } from "./choice-of.tsx";
import { frequentTags } from "./frequent-tags.ts";

const tagLimit = 500;

/** A choice among the tags of rows; nothing where no row has one. */
export function TagChoice(props: {
  rows: readonly { tags: readonly string[] }[];
  chosen: string | null;
  onChoose: (tag: string | null) => void;
}) {
  const { rows, chosen, onChoose } = props;
  const tags = useMemo(() => frequentTags(rows, tagLimit), [rows]);
  if (tags.length === 0) return null;
  return <ChoiceOf label="Tag" all="All tags" items={tags} chosen={chosen} onChoose={onChoose} />;
}
