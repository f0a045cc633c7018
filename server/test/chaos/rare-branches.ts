import type { FaultKind } from './faults.ts'
import type { Journal } from './journal.ts'

/** What hardly ever happens, and must have happened in a run of the suite, or it has shown nothing about it. */
export type RareBranch = { name: string; times: number; brings: FaultKind }

/** Counted from what clients saw, and from what the service says of itself in its log at `info`. */
export function countRareBranches(journal: Journal): RareBranch[] {
  const text = journal.read('said')
  const answered = journal.read('answered')
  const reopened = journal.read('reopened').filter(({ afterSeq }) => afterSeq > 0)
  const entries = journal.read('entry')
  const refused = journal.read('refused')
  const stopped = new Set(journal.read('acted').flatMap(({ act, runId }) => (act === 'cancel' ? [runId] : [])))
  const count = (name: string, brings: FaultKind, seen: unknown[]): RareBranch => ({ name, times: seen.length, brings })
  const saying = (message: string) => text.filter((line) => line.message === message)
  return [
    count('a lost worker was taken over', 'kill worker', saying('run taken over')),
    count(
      'the write of a stale worker was refused',
      'freeze worker',
      saying('a write was refused').filter(({ runId = 0 }) => !stopped.has(runId)),
    ),
    count(
      'a key was answered with its first answer',
      'cut clients',
      answered.filter(({ isReplay }) => isReplay),
    ),
    count(
      'a client came through at a later try',
      'kill api',
      refused.filter(({ request, at }) => answered.some((later) => later.at > at && later.request === request)),
    ),
    count(
      'a stream went on after its last entry',
      'cut clients',
      reopened.filter(({ runId, afterSeq }) => entries.some((entry) => entry.runId === runId && entry.seq > afterSeq)),
    ),
    count(
      'a work tree came back from a checkpoint',
      'lose folder',
      entries.filter(({ restoredFrom }) => restoredFrom === 'checkpoint'),
    ),
    count('a process lived on when PostgreSQL came back', 'kill postgres', findReconnects(journal)),
    count(
      'a worker that was told to end handed a run over',
      'drain worker',
      saying('run released').filter(({ reason }) => reason === 'shutdown'),
    ),
  ]
}

/** Processes that were there before a crash of PostgreSQL and were of use after it. */
function findReconnects(journal: Journal): unknown[] {
  const lives = journal.read('process')
  const backs = lives.filter(({ name, event }) => name === 'postgres' && event === 'ready')
  const workers = lives.filter(({ name, event }) => name !== 'postgres' && event === 'ready')
  return backs.flatMap((back) =>
    workers.filter(({ pid, at }) => {
      const end = lives.find((life) => life.pid === pid && life.event === 'ended')
      return at < back.at - 5_000 && (end?.at ?? Infinity) > back.at + 2_000
    }),
  )
}
