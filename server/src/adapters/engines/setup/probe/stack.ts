/** One folder as one package manager sees it. */
export type Stack = {
  /** Its lock file, or else what names its dependencies. */
  lockfile: string
  says: string
  install: string[]
  build?: string[]
  test?: string[]
  lint?: string[]
}

/** Files of one folder, by their names. */
export type StackFolder = {
  has: (name: string) => boolean
  /** The names of all files anywhere below. */
  below: (pattern: RegExp) => boolean
  read: (name: string) => Promise<string | null>
}
