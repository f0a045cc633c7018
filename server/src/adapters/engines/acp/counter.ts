import type { Past, Turn } from '#adapters/engines/engine.ts'

/** Numbers for the keys of what happens in a turn, beyond those that it has already. */
export type Counter = {
  /** Starts of the agent in this turn. */
  starts: number
  /** The agent's own tool calls. */
  calls: number
  /** What it has called `finish` with. */
  claims: number
  notes: number
  /** What the agent calls its session; null: it has none, or its files were lost since. */
  session: string | null
}

export function openCounter({ past, number }: Turn): Counter {
  const keys = past.flatMap((item) => (item.type === 'step' && item.turn === number ? [item.step.key] : []))
  const counted = (prefix: string) => keys.filter((key) => key.startsWith(`t${number}/${prefix}/`)).length
  const claims = keys.map((key) => Number(/^t\d+\/tool\/(\d+)\./.exec(key)?.[1] ?? 0))
  return {
    starts: counted('session'),
    calls: counted('agent'),
    claims: Math.max(0, ...claims),
    notes: 0,
    session: knownSession(past),
  }
}

/** A worker that takes over notes by other keys. */
export const nextNoteKey = (turn: Pick<Turn, 'number'>, counter: Counter) =>
  `t${turn.number}/note/${counter.starts}.${counter.notes++}`

function knownSession(past: readonly Past[]): string | null {
  for (const item of past.toReversed()) {
    if (item.type === 'restored' && !item.hasHomes) return null
    if (item.type !== 'step') continue
    const { session } = (item.step.response ?? {}) as { session?: unknown }
    if (typeof session === 'string') return session
  }
  return null
}
