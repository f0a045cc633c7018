import type { CSSProperties, ReactElement } from 'react'

/** The first letters of somebody's name, on a colour that is always theirs. */
export function Avatar({ name, className = '' }: { name: string; className?: string }): ReactElement {
  const letters = name
    .split(/[\s@._-]+/)
    .filter(Boolean)
    .slice(0, 2)
    .map((word) => [...word][0]!.toUpperCase())
    .join('')
  const hue = [...name].reduce((sum, character) => (sum * 31 + character.codePointAt(0)!) % 360, 7)
  return (
    <span
      className={`avatar ${className}`}
      style={{ '--ah': hue } as CSSProperties}
      role="img"
      aria-label={name}
      title={name}
    >
      {letters || '?'}
    </span>
  )
}
