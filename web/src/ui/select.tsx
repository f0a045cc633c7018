import { useId, type ReactElement } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  label: string
  hint?: string
  value: string
  /** An array of three is one that cannot be chosen; its third says why. */
  choices: readonly (readonly [value: string, word: string, why?: string])[]
  onChange: (value: string) => void
}

/** A native select with its label above it. */
export function Select({ label, hint, value, choices, onChange }: Props): ReactElement {
  const id = useId()
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <span className="select-wrap">
        <select
          id={id}
          className="select"
          value={value}
          aria-describedby={hint ? `${id}-hint` : undefined}
          onChange={(event) => onChange(event.target.value)}
        >
          {choices.map(([value, word, why]) => (
            <option key={value} value={value} disabled={why !== undefined}>
              {why === undefined ? word : `${word} (${why})`}
            </option>
          ))}
        </select>
        <Icon name="down" size={14} />
      </span>
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
