import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Cluster } from './cluster.ts'

/** What runs have left on this machine: files and folders of sandboxes, mounts, temporary files, processes. */
export function findLeftovers({ folder, apis, workers, postgres }: Cluster): string[] {
  const machines = ['shared', 'machine-a', 'machine-b'].map((name) => path.join(folder, name))
  const ours = new Set([process.pid, postgres.pid(), ...[...apis, ...workers].map(({ pid }) => pid)])
  const temporary = machines
    .flatMap((machine) => list(path.join(machine, 'temporary')))
    // A process that lives has a folder of its own, which is empty between two things that it does.
    .flatMap((file) => (ours.has(Number(path.basename(file).split('-')[0])) ? list(file) : [file]))
  const files = [...machines.flatMap((machine) => list(path.join(machine, 'sandboxes'))), ...temporary]
  const mounts = read('/proc/mounts')
    .split('\n')
    .filter((line) => line.includes(folder))
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && !ours.has(Number(name)))
    .filter((pid) =>
      [`/proc/${pid}/cmdline`, `/proc/${pid}/mountinfo`].some((file) =>
        machines.some((machine) => read(file).includes(machine)),
      ),
    )
    .map((pid) => `process ${pid}: ${read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 200)}`)
  return [...files, ...mounts, ...processes]
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name))
  } catch {
    return []
  }
}

/** Empty for what has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1')
  } catch {
    return ''
  }
}
