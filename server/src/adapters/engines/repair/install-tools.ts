import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { toolFolder } from './run-command.ts'
import { restoreFile } from './replace-file.ts'

const PROGRAMS = [
  'node-reporter.mjs',
  'node-preload.mjs',
  'mocha-reporter.cjs',
  'tape-reporter.mjs',
  'tape.cjs',
  'ava.cjs',
  'node-stand-in.cjs',
  'node-each.cjs',
  'node-bench.mjs',
  'node-bench-worker.mjs',
  'node-types.mjs',
  'jest-paths.mjs',
  'go-bench.mjs',
  'go-report.mjs',
  'python_bench.py',
  'python_collected.py',
  'python_exchange.py',
  'python_fork.py',
  'python_items.py',
  'python_tests.py',
  'python_watch.py',
  'compare.mjs',
  'compare.py',
]

/** Puts our programs into the sandbox, beside the workspace, and back what a lost worker had replaced. */
export async function installTools(sandbox: Sandbox): Promise<void> {
  await restoreFile(sandbox)
  for (const name of PROGRAMS) {
    const program = await readFile(path.join(import.meta.dirname, 'inside', name))
    await sandbox.writeFile(`${toolFolder(sandbox)}/${name}`, program)
  }
}
