// The programs of others that we are measured against. They are no dependency of the project: the bench installs them by
// itself when they are asked for.
import { execFile } from 'node:child_process'
import { cpSync, existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

const source = path.join(import.meta.dirname, 'controls')
// Not beside our own files: the types that come with them would be taken for ours by the linter.
const folder = path.join(import.meta.dirname, '../.data/bench-controls')
const installMs = 5 * 60_000

/** A folder of `controls`. */
type Controls = 'agents' | 'queue'

/** The path of a file of one of them. */
export const controlFile = (controls: Controls, name: string) => path.join(folder, controls, name)

/** Answers why they could not be installed; undefined when they are here. */
export async function installControls(controls: Controls): Promise<string | undefined> {
  const target = path.join(folder, controls)
  cpSync(path.join(source, controls), target, { recursive: true })
  if (existsSync(path.join(target, 'node_modules/.package-lock.json'))) return undefined
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', target]
  try {
    await promisify(execFile)('npm', options, { cwd: target, timeout: installMs })
    return undefined
  } catch (error) {
    const text = (error as { stderr?: string }).stderr ?? ''
    return /npm error code (.+)/.exec(text)?.[1] ?? (error as Error).message
  }
}
