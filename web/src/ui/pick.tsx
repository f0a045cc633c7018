import type { ReactElement } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Props = {
  icon: IconName
  label: string
  value: string
  /** A third part says why it cannot be chosen now. */
  choices: readonly (readonly [value: string, word: string, why?: string])[]
  onChoose: (value: string) => void
  className?: string
}

/** A native select that looks like a word with a picture before it. */
export function Pick({ icon, label, value, choices, onChoose, className = '' }: Props): ReactElement {
  return (
    <span className={`pick ${className}`}>
      <Icon name={icon} size={14} />
      <select aria-label={label} title={label} value={value} onChange={(event) => onChoose(event.target.value)}>
        {choices.map(([value, word, why]) => (
          <option key={value} value={value} disabled={why !== undefined}>
            {why === undefined ? word : `${word} (${why})`}
          </option>
        ))}
      </select>
      <Icon name="down" size={12} className="chev" />
    </span>
  )
}
