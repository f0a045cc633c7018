import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { explainRefusal } from './explain-refusal.ts'

const { provider } = testSandboxes()
const explain = (words: string) => explainRefusal(words, { limits: testLimits, isStarved: false })

test('says which limit a command has met, how much it is, and who raises it', () => {
  assert.match(explain('cp: error writing: No space left on device'), /512 MiB.*RUNWRIGHT_SANDBOX_DISK_MIB/)
  assert.match(explain('bash: fork: retry: Resource temporarily unavailable'), /128 processes.*no setting raises/)
  assert.match(explain('OSError: [Errno 24] Too many open files'), /4096 files open, all of a sandbox 65536/)
  assert.match(explain('fork: Cannot allocate memory'), /512 MiB of memory.*RUNWRIGHT_SANDBOX_MEMORY_MIB/)
  assert.equal(explain('error: expected ;'), '')
  assert.equal(explainRefusal('No space left on device', { limits: null, isStarved: false }), '')
})

test('is told to whoever reads the output of a command that was refused something', async () => {
  const sandbox = await provider.create({ id: 'refused', limits: { ...testLimits, processes: 40 } })
  const full = await sandbox.exec({ shell: 'truncate -s 600M huge; exit 1', timeoutMs: 20_000 }).result
  assert.match(full.output.toString(), /\[limit of the sandbox\] Files of this sandbox may take 512 MiB/)
  const fine = await sandbox.exec({ shell: 'echo No space left on device', timeoutMs: 20_000 }).result
  assert.equal(fine.output.toString(), 'No space left on device\n')
  await sandbox.stop('done')
})
