import { spawnSync } from 'node:child_process'

/** What npm printed. Throws with what it said when it fails. */
export function runNpm(words: string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync('npm', [...words, '--ignore-scripts', '--loglevel=error'], {
    cwd,
    encoding: 'utf8',
  })
  if (error) throw error
  if (status !== 0) throw new Error(`npm ${words[0]} failed:\n${stderr}${stdout}`)
  return stdout
}
