import { readFile, stat } from 'node:fs/promises'

/** What commands in a sandbox find of this machine: its system, and which packages are installed. */
export async function describeMachine(): Promise<string> {
  const release = await readFile('/etc/os-release', 'utf8').catch(() => '')
  const packages = await stat('/var/lib/dpkg/status').catch(() => undefined)
  return [process.arch, process.version, release, packages?.mtimeMs ?? '', packages?.size ?? ''].join('\n')
}
