// What may stand behind the question mark of an address: which part of a page is shown, and how.

export const runLists = ['needs', 'work', 'ended', 'mine'] as const
export type RunList = (typeof runLists)[number]

export const tabs = ['plan', 'changes', 'artifacts', 'json'] as const
export type RunTab = (typeof tabs)[number]

export const pullTabs = ['files'] as const

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
