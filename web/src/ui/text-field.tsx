import { useId, type ReactElement } from 'react'
import { Icon } from './icon.tsx'

type Props = {
  label: string
  hint?: string
  value: string
  error?: string | undefined
  /** Of several lines: of code, or of words. */
  isLong?: boolean | 'words'
  /** Nobody may read it over a shoulder. */
  isSecret?: boolean
  onChange: (value: string) => void
}

export function TextField({
  label,
  hint,
  value,
  error,
  isLong = false,
  isSecret = false,
  onChange,
}: Props): ReactElement {
  const id = useId()
  const field = {
    id,
    value,
    'aria-invalid': error !== undefined,
    'aria-describedby': hint ? `${id}-hint` : undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {isLong ? (
        <textarea
          className={`textarea input ${isLong === 'words' ? '' : 'code'}`}
          spellCheck={isLong === 'words'}
          {...field}
        />
      ) : (
        <input className="input" {...(isSecret && { type: 'password', autoComplete: 'off' })} {...field} />
      )}
      {error && (
        <p className="error">
          <Icon name="error" size={14} />
          {error}
        </p>
      )}
      {hint && (
        <p className="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}
