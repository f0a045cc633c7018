import type { ButtonHTMLAttributes, ReactElement } from 'react'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  /** How it looks: `primary`, `ghost`, `danger`, `destroy`, with `sm`, `square`, `wide`. */
  look?: string
  /** Asked for, and not done yet. */
  isBusy?: boolean
  'data-first'?: boolean
}

export function Button({ look = '', isBusy = false, className = '', type = 'button', ...rest }: Props): ReactElement {
  return (
    <button
      {...rest}
      type={type}
      className={`btn ${look} ${isBusy ? 'busy' : ''} ${className}`}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled || isBusy}
    />
  )
}
