import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { serviceMain } from './service.ts'

const flags = [
  '--disable-warning=ExperimentalWarning',
  `--import=${new URL('../../bin/resolve-imports.mjs', import.meta.url).href}`,
]

export type Operated = { child: ChildProcess; ended: Promise<{ code: number | null; output: string }> }

/** Starts a command of the service as an operator types it. */
export function startCommand(words: string[], env: Record<string, string>): Operated {
  const child = spawn(process.execPath, [...flags, serviceMain(), ...words], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return { child, ended: once(child, 'close').then(([code]: unknown[]) => ({ code: code as number | null, output })) }
}

/** Runs it to its end. Answers what it printed; rejects with what it complained of. */
export async function operate(words: string[], env: Record<string, string>): Promise<string> {
  const { code, output } = await startCommand(words, env).ended
  if (code !== 0) throw new Error(output)
  return output
}
