import { randomUUID } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, mkdirSync, renameSync, statfsSync, statSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { findRipgrep } from '#adapters/sandboxes/find-ripgrep.ts'

export type Programs = { node: string; ripgrep: string | null; agent: string }

/** What overlayfs says that it is: a root folder of layers is that of a container. */
const OVERLAY = 0x794c7630

/**
 * Our own programs, which containers are shown, at paths that the engine sees. Where the service is in a container itself,
 * the engine is outside of it and sees the data folder alone, so they are copied there once.
 */
export function findPrograms(folder: string, { isInContainer = isInLayers() } = {}): Programs {
  const seen = (file: string) => (isInContainer ? copyOnce(file, folder) : file)
  const ripgrep = findRipgrep()
  return {
    node: seen(process.execPath),
    ripgrep: ripgrep && seen(ripgrep.path),
    agent: seen(fileURLToPath(new URL('../exec-agent.mjs', import.meta.url))),
  }
}

function isInLayers(): boolean {
  return existsSync('/run/.containerenv') || existsSync('/.dockerenv') || statfsSync('/').type === OVERLAY
}

/** A copy below `folder` that is named after what it is a copy of, so that the program of another version is another file. */
export function copyOnce(source: string, folder: string): string {
  const { size, mtimeMs, mode } = statSync(source)
  const place = path.join(folder, '.programs')
  const file = path.join(place, `${path.basename(source)}-${size}-${Math.floor(mtimeMs)}`)
  if (existsSync(file)) return file
  mkdirSync(place, { recursive: true, mode: 0o755 })
  const unfinished = `${file}.${randomUUID().slice(0, 8)}`
  copyFileSync(source, unfinished)
  chmodSync(unfinished, mode & 0o777)
  renameSync(unfinished, file)
  return file
}
