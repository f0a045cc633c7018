import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Clones a branch over HTTP, as its reviewer would, and runs the repository's own tests there. */
export async function testBranch({
  gitUrl,
  branch,
  token,
}: {
  gitUrl: string
  branch: string
  token: string
}): Promise<boolean> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'runwright-demo-'))
  try {
    // The token goes by the environment: on the command line others of this machine would see it.
    const credentials = Buffer.from(`demo:${token}`).toString('base64')
    const env = {
      PATH: process.env.PATH,
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: `http.${gitUrl}.extraHeader`,
      GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
    }
    await run('git', ['clone', '-q', '--depth', '1', '-b', branch, gitUrl, folder], { env })
    await run(process.execPath, ['--test'], { cwd: folder, env: { PATH: process.env.PATH } })
    return true
  } catch (error) {
    process.stdout.write(`${(error as { stdout?: string }).stdout ?? ''}${(error as Error).message}\n`)
    return false
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
