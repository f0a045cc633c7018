import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'

/** What somebody outside of the service has seen or done. */
export type Fact = {
  /** Milliseconds since the epoch. */
  at: number
} & (
  | { kind: 'fault'; fault: string; victim: string }
  | { kind: 'process'; name: string; pid: number; event: 'started' | 'ready' | 'ended'; how?: string }
  /** A request that got no good answer and is sent again. */
  | { kind: 'refused'; address: string; request: string; why: string }
  | { kind: 'answered'; address: string; request: string; status: number; isReplay: boolean }
  | { kind: 'accepted'; task: string; runId: number; isReplay: boolean }
  | { kind: 'acted'; task: string; runId: number; act: string; status: number }
  | { kind: 'entry'; runId: number; reader: 'stream' | 'pages'; seq: number; digest: string; restoredFrom?: string }
  /** A stream that broke off and was opened again after this entry. */
  | { kind: 'reopened'; runId: number; afterSeq: number; why: string }
  | { kind: 'status'; runId: number; status: string; detail: string | null; turn: number; error?: string }
  | { kind: 'model'; task: string; turn: number; call: number }
  | { kind: 'branch'; branch: string; commit: string }
  /** What a process of the service says of itself. */
  | { kind: 'said'; name: string; message: string; runId?: number; reason?: string }
)
export type FactOf<Kind extends Fact['kind']> = Extract<Fact, { kind: Kind }>
type WithoutTime<T> = T extends unknown ? Omit<T, 'at'> : never

export type Journal = {
  readonly file: string
  write(fact: WithoutTime<Fact>): void
  /** All facts of a kind, as the file has them. */
  read<Kind extends Fact['kind']>(kind: Kind): FactOf<Kind>[]
  close(): void
}

/** A file to which lines of JSON are appended, and nothing else is done. The verdicts are made from it. */
export function openJournal(file: string): Journal {
  const descriptor = openSync(file, 'ax')
  return {
    file,
    write: (fact) => void writeSync(descriptor, `${JSON.stringify({ at: Date.now(), ...fact })}\n`),
    read: <Kind extends Fact['kind']>(kind: Kind) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"kind":"${kind}"`))
        .map((line) => JSON.parse(line) as Fact)
        .filter((fact): fact is FactOf<Kind> => fact.kind === kind),
    close: () => closeSync(descriptor),
  }
}
