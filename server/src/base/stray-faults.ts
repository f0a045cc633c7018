import { AsyncLocalStorage } from 'node:async_hooks'

type OnFault = (error: unknown) => void

const owners = new AsyncLocalStorage<OnFault>()

/** Does some work to which each fault belongs that nobody catches in it, in its callbacks, and in what it leaves behind. */
export const ownFaults = <T>(onFault: OnFault, act: () => T): T => owners.run(onFault, act)

/**
 * The last resort: without it, one rejection that nobody awaits ends the process, and everybody's work with it. A fault
 * goes to whose work it belongs to; `onOrphan` is given what belongs to nobody.
 */
export function catchStrayFaults(onOrphan: OnFault): void {
  const handle = (error: unknown) => (owners.getStore() ?? onOrphan)(error)
  process.on('uncaughtException', handle)
  process.on('unhandledRejection', handle)
}
