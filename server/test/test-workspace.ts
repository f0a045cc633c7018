import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { testSandboxes } from './test-sandboxes.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 512 * MiB, processes: 128, diskBytes: 256 * MiB, lifetimeMs: 120_000 }
/** Commits of the same files are the same commits, whenever a test makes them. */
const COMMIT = `git init -q -b main && git add . && GIT_AUTHOR_DATE='2026-01-01T00:00:00Z' GIT_COMMITTER_DATE='2026-01-01T00:00:00Z' \
git commit -q --allow-empty -m 'The beginning'`

/** Makes sandboxes whose workspace is a repository of these files. The test file takes them away at its end. */
export function testWorkspaces(): (files: Record<string, string>) => Promise<Sandbox> {
  const { provider } = testSandboxes()
  let made = 0
  return async (files) => {
    const sandbox = await provider.create({ id: `test-${++made}`, limits })
    for (const [name, text] of Object.entries(files)) {
      await sandbox.writeFile(`${sandbox.paths.workspace}/${name}`, Buffer.from(text))
    }
    const { exitCode, output } = await sandbox.exec({ shell: COMMIT, timeoutMs: 20_000 }).result
    if (exitCode !== 0) throw new Error(`The test's repository could not be made: ${output}`)
    return sandbox
  }
}
