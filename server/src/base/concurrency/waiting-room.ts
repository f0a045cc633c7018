/** A place in a waiting room, of one that looks for work. */
export type Seat = Disposable & {
  /**
   * Resolves when it is this one's turn to look: something may have come, or nobody of its kind has looked for `restMs`; or when the
   * signal is aborted. Answers whether something may have come. Never rejects.
   */
  wait(restMs: number, signal: AbortSignal): Promise<boolean>
  /** It found something, so there may be more: the next one looks, too. */
  wakeNext(): void
  /** It cannot look now, and will not wait at once. If it was its turn, the next one looks. */
  pass(): void
}

/** Of news, `passes` more may be given it, one after the other. Of a timer: how long that had waited, and waits again instead. */
type Turn = { passes: number } | { restMs: number }
type Waiting = { wake: (turn: Turn) => void }
type Kind = {
  seats: number
  waiting: Set<Waiting>
  /** The turn of something that came while all were busy: the first to wait looks at once. */
  news: Turn | undefined
  timer: NodeJS.Timeout | undefined
  dueAt: number
}

/**
 * Where those wait that look for work in the same queue. Those of one kind would find the same, so that at any news one of each kind
 * looks, another one for each that finds something, and so as many as there is work for. Keeps no process alive.
 */
export class WaitingRoom {
  readonly #kinds = new Map<string, Kind>()

  /** Something may have come that any kind can take. */
  wakeOneOfEach(): void {
    for (const kind of this.#kinds.values()) give(kind, { passes: kind.seats - 1 })
  }

  enter(name: string): Seat {
    const kind = this.#kinds.get(name) ?? makeKind()
    this.#kinds.set(name, kind)
    kind.seats++
    let turn: Turn | undefined
    const pass = () => {
      const own = turn
      turn = undefined
      if (!own) return
      if ('restMs' in own) wakeIn(kind, own.restMs)
      else if (own.passes) give(kind, { passes: own.passes - 1 })
    }
    return {
      wait: async (restMs, signal) => {
        turn = undefined
        if (signal.aborted) return false
        if (!kind.news) turn = await waitIn(kind, restMs, signal)
        else [turn, kind.news] = [kind.news, undefined]
        return turn !== undefined && 'passes' in turn
      },
      wakeNext: () => void wakeOne(kind, { passes: 0 }),
      pass,
      [Symbol.dispose]: () => {
        pass()
        if (--kind.seats) return
        clearTimeout(kind.timer)
        this.#kinds.delete(name)
      },
    }
  }
}

const makeKind = (): Kind => ({ seats: 0, waiting: new Set(), news: undefined, timer: undefined, dueAt: Infinity })

function give(kind: Kind, turn: Turn): void {
  if (!wakeOne(kind, turn)) kind.news = turn
}

/** Whoever has waited longest. False where nobody waits. */
function wakeOne(kind: Kind, turn: Turn): boolean {
  const [first] = kind.waiting
  first?.wake(turn)
  return first !== undefined
}

/** The turn for which it was woken; undefined when the signal was aborted. */
function waitIn(kind: Kind, restMs: number, signal: AbortSignal): Promise<Turn | undefined> {
  return new Promise((resolve) => {
    const leave = (turn?: Turn) => {
      kind.waiting.delete(waiting)
      signal.removeEventListener('abort', giveUp)
      resolve(turn)
    }
    const giveUp = () => leave()
    const waiting: Waiting = { wake: leave }
    signal.addEventListener('abort', giveUp)
    kind.waiting.add(waiting)
    wakeIn(kind, restMs)
  })
}

/** One timer for all of a kind: it rings for the one that wants to look soonest, and whoever is woken then sets it anew. */
function wakeIn(kind: Kind, restMs: number): void {
  const dueAt = performance.now() + restMs
  if (kind.timer && kind.dueAt <= dueAt) return
  clearTimeout(kind.timer)
  kind.dueAt = dueAt
  kind.timer = setTimeout(() => {
    kind.timer = undefined
    wakeOne(kind, { restMs })
  }, restMs).unref()
}
