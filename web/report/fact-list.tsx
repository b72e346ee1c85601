import { StrangerText } from "./stranger-text.tsx";

/** Facts by name; what is not known is left out. */
export function FactList(props: { facts: readonly (readonly [string, string | null])[]; class?: string }) {
  return (
    <dl class={`facts ${props.class ?? ""}`}>
      {props.facts.map(([name, value]) =>
        value === null ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <StrangerText text={value} />
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}
