import type { ReactElement } from 'react'

type Props<Value> = { label: string; value: Value; choices: [Value, string][]; onChoose: (value: Value) => void }

/** One of a few, all of which are seen. */
export function Choice<Value extends string | number>({ label, value, choices, onChoose }: Props<Value>): ReactElement {
  return (
    <fieldset className="field choice">
      <legend className="label">{label}</legend>
      {choices.map(([one, word]) => (
        <label key={one} className="check">
          <input type="radio" name={label} checked={one === value} onChange={() => onChoose(one)} />
          <span>{word}</span>
        </label>
      ))}
    </fieldset>
  )
}
