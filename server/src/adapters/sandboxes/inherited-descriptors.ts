import { readdirSync, readFileSync } from 'node:fs'

const O_CLOEXEC = 0o2000000

/**
 * The open files that whoever started this process has left to it, and that every program started by it would have too.
 * Those that Node opens are closed by themselves when a program starts.
 */
export function inheritedDescriptors(): number[] {
  return listDescriptors().filter((descriptor) => descriptor > 2 && isHandedOn(descriptor))
}

function listDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number)
  } catch {
    return []
  }
}

function isHandedOn(descriptor: number): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1]
    return flags !== undefined && (Number.parseInt(flags, 8) & O_CLOEXEC) === 0
  } catch {
    // It was the one by which the folder was listed.
    return false
  }
}
