import type { ReactElement } from 'react'
import { dayMs } from '#base/api.ts'
import { Choice } from './choice.tsx'

const lives: [number, string][] = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [0, 'No expiration'],
]

/** After how many days a token ends; 0: never. */
export function ExpiryChoice({ days, onChoose }: { days: number; onChoose: (days: number) => void }): ReactElement {
  return <Choice label="Expires after" value={days} choices={lives} onChoose={onChoose} />
}

/** The field of a request that says so. */
export const expiryOf = (days: number): { expires_at?: string } =>
  days ? { expires_at: new Date(Date.now() + days * dayMs).toISOString() } : {}
