import type { RecordStep, StepKind } from './run-record.ts'

export type FoundStep = Omit<RecordStep, 'n' | 'entry' | 'line'> & {
  kind: StepKind
  seq: number | null
  line: Uint8Array
}
export type FoundEntry = { turn: number; at: number | null; title: string; isFailure: boolean; line: Uint8Array }

/**
 * Steps in the order in which they happened, each with its log entry, and between them the entries that no step wrote.
 * The service's own notes that the log does not tell of are left out.
 */
export function orderSteps(
  steps: readonly FoundStep[],
  entries: ReadonlyMap<number, FoundEntry>,
): { steps: RecordStep[]; startedAt: number | null } {
  const ordered: RecordStep[] = []
  const own = new Set(steps.flatMap(({ seq }) => seq ?? []))
  const others = [...entries.keys()].filter((seq) => !own.has(seq)).toSorted((one, other) => one - other)
  let next = 0
  const addOthers = (before: number) => {
    for (; next < others.length && others[next]! < before; next++) {
      const { line, ...entry } = entries.get(others[next]!)!
      ordered.push({ ...entry, n: ordered.length + 1, kind: 'entry', line: null, entry: line })
    }
  }
  // What a person said comes before what the model was told of it.
  const nextSeq = nextSeqs(steps)
  for (const [index, { seq, line, ...step }] of steps.entries()) {
    const entry = seq === null ? undefined : entries.get(seq)
    if (step.kind === 'note' && !entry) continue
    addOthers(seq ?? nextSeq[index]!)
    const titled = entry && step.kind !== 'model' ? { title: entry.title } : {}
    ordered.push({
      ...step,
      ...titled,
      at: entry?.at ?? step.at,
      isFailure: step.isFailure || entry?.isFailure === true,
      n: ordered.length + 1,
      line,
      entry: entry?.line ?? null,
    })
  }
  addOthers(Infinity)
  return { steps: ordered, startedAt: ordered.find(({ at }) => at !== null)?.at ?? null }
}

/** For each step the number of the first entry that is written by it or after it. */
function nextSeqs(steps: readonly FoundStep[]): number[] {
  const seqs = Array.from<number>({ length: steps.length })
  let next = Infinity
  for (let index = steps.length - 1; index >= 0; index--) {
    next = steps[index]!.seq ?? next
    seqs[index] = next
  }
  return seqs
}
