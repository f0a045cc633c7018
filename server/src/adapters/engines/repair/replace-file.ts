import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { readText, toolFolder } from './run-command.ts'

type Replaced = { path: string; original: string }

const running = new WeakMap<Sandbox, Promise<unknown>>()

/**
 * Writes a candidate over its file, acts, and puts the file back: the one way that every runner sees. The original is
 * kept beside the workspace first, so that `restoreFile` finds it after a worker was lost in between. One at a time.
 */
export async function replaceFile<T>(
  sandbox: Sandbox,
  candidate: { file: string; source: string },
  act: () => Promise<T>,
): Promise<T> {
  const before = running.get(sandbox)
  const current = (async () => {
    await before?.catch(() => {})
    const path = `${sandbox.paths.workspace}/${candidate.file}`
    const original = await sandbox.readFile(path)
    const replaced: Replaced = { path, original: original.toString('base64') }
    await sandbox.writeFile(noteOf(sandbox), Buffer.from(JSON.stringify(replaced)))
    try {
      await sandbox.writeFile(path, Buffer.from(candidate.source))
      return await act()
    } finally {
      await sandbox.writeFile(path, original)
      await sandbox.writeFile(noteOf(sandbox), Buffer.alloc(0))
    }
  })()
  running.set(sandbox, current)
  return current
}

/** Puts back what a lost worker had replaced. Does nothing where nothing was. */
export async function restoreFile(sandbox: Sandbox): Promise<void> {
  const replaced = parseNote(await readText(sandbox, noteOf(sandbox)))
  if (!replaced) return
  await sandbox.writeFile(replaced.path, Buffer.from(replaced.original, 'base64'))
  await sandbox.writeFile(noteOf(sandbox), Buffer.alloc(0))
}

function parseNote(text: string | null): Replaced | null {
  try {
    return text ? (JSON.parse(text) as Replaced) : null
  } catch {
    // The worker was lost while it wrote the note, so before the file was replaced.
    return null
  }
}

function noteOf(sandbox: Sandbox): string {
  return `${toolFolder(sandbox)}/replaced.json`
}
