import type { ReactElement } from 'react'

export function Logo(): ReactElement {
  return (
    <svg className="logo" viewBox="0 0 24 24" aria-hidden="true">
      <path className="a" d="M5 2h8.2v5.6L6.6 5.4v13.2l6.6-2.2V22H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3z" />
      <path className="b" d="M14.6 2H19a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-4.4v-7.5L8 16.7V7.3l6.6 2.2z" />
    </svg>
  )
}
