/** What one machine has of an engine that is installed there. */
export type EngineInstall = {
  engine: string
  /** As people know it. */
  machine: string
  /** Null: none that can be used. */
  version: string | null
  /** Why the last try failed. */
  problem: string | null
  /** Whether it is being installed, or is about to be. */
  isInstalling: boolean
  reportedAt: Date
}

/** Until when a machine that says nothing is taken to be there. */
export const reportMinutes = 10

/** Where an engine is installed: a folder, and the machine that it is on. */
export type InstallPlace = { engine: string; place: string; machine: string }
