// What may stand behind the question mark of an address: which part of a page is shown, and how.
import type { AuditFilter, RunStatus } from './api.ts'
import { runStatuses } from './status.ts'

export const runLists = ['needs', 'work', 'ended', 'mine'] as const
export type RunList = (typeof runLists)[number]

/** Dates of a filter that mean the same tomorrow, so that a saved view stays true. */
export const sinces = ['today', 'week', 'month'] as const
export type Since = (typeof sinces)[number]

/** As `2026-11-22`. */
export const dayOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length === 10 && !Number.isNaN(Date.parse(value)) ? value : undefined

export type RunsSearch = {
  show?: RunList
  q?: string
  repo?: number
  status?: RunStatus
  person?: number
  engine?: string
  since?: Since
  from?: string
  to?: string
  archived?: true
}

export const readRunsSearch = (search: Record<string, unknown>): RunsSearch =>
  present({
    show: wordOf(runLists, search['show']),
    q: textOf(search['q']),
    repo: numberOf(search['repo']),
    status: wordOf(runStatuses, search['status']),
    person: numberOf(search['person']),
    engine: textOf(search['engine']),
    since: wordOf(sinces, search['since']),
    from: dayOf(search['from']),
    to: dayOf(search['to']),
    archived: search['archived'] === true ? (true as const) : undefined,
  })

export const tabs = ['plan', 'changes', 'artifacts', 'sandbox', 'replay', 'json'] as const
export type RunTab = (typeof tabs)[number]

export const pullTabs = ['files'] as const

/** Of pull requests and issues: those that are open, where nothing is said. */
export const listStates = ['closed', 'all'] as const
export type ListState = (typeof listStates)[number]

export const repoSections = [
  'setup',
  'snapshots',
  'checks',
  'rules',
  'secrets',
  'deploy-keys',
  'network',
  'file',
  'general',
] as const
export type RepoSection = (typeof repoSections)[number]

export const views = ['reader', 'timeline'] as const
export type TraceView = (typeof views)[number]

export const families = ['thought', 'tool', 'edit', 'exit', 'error', 'user', 'pr'] as const
export type Family = (typeof families)[number]

export const wordOf = <Word extends string>(words: readonly Word[], value: unknown): Word | undefined =>
  words.find((word) => word === value)
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : typeof value === 'number' ? String(value) : undefined

export const numberOf = (value: unknown): number | undefined =>
  Number.isSafeInteger(value) ? (value as number) : undefined

/** Leaves out what is not there, so that it does not stand in the address. */
export function present<T extends object>(search: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as never
}

/** What stands in the address, with some of it changed; what is undefined is taken out. */
export function changed<T extends object>(before: T, change: { [Key in keyof T]?: T[Key] | undefined }): T {
  return present({ ...before, ...change }) as T
}

export const readAuditSearch = (search: Record<string, unknown>): AuditFilter =>
  present({
    person: numberOf(search['person']),
    action: textOf(search['action']),
    from: dayOf(search['from']),
    to: dayOf(search['to']),
  })
