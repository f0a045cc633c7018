/**
 * Keeps commands out of the memory and the descriptors of the exec agent, who runs as the same user. The kernel lets nobody
 * look into a program whose file could not be read by who started it. So the dynamic loader, shown inside as a file that
 * may be run but not read, starts the agent; and, as that would leave bubblewrap's own first process open, a shell that
 * does no more than it did: it collects orphans and ends with the agent.
 */
import { existsSync, readFileSync } from 'node:fs'

export const loaders: Partial<Record<NodeJS.Architecture, string>> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
}

export const loaderPath = '/run/runwright/loader'

/** Bait stays where it can be found, in a program of its own. */
const firstScript = `exec 3<&0 </dev/null
if [ -n "$RUNWRIGHT_BAIT" ]; then sleep infinity >/dev/null 2>&1 3<&- & fi
"$@" <&3 3<&- &
exec 3<&- >/dev/null
wait $!`

/** The machine's loader; null where it has another one, and the agent stays open. */
export function readLoader(): Buffer | null {
  const file = loaders[process.arch]
  return file !== undefined && existsSync(file) ? readFileSync(file) : null
}

/** The words that run the agent so. */
export function closedAgent(agent: string[]): string[] {
  return [loaderPath, '/bin/sh', '-c', firstScript, 'sh', loaderPath, ...agent]
}
