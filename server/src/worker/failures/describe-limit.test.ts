import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testLimits } from '#test/test-sandboxes.ts'
import { describeLimit } from './describe-limit.ts'

test('a run whose sandbox went over a limit says which, how much it is, and who may raise it', () => {
  const say = (reason: string) => describeLimit(reason, testLimits)
  assert.match(say('disk_full')!.message, /512 MiB, or more than 131072 files.*RUNWRIGHT_SANDBOX_DISK_MIB/)
  assert.match(say('out_of_memory')!.message, /512 MiB.*RUNWRIGHT_SANDBOX_MEMORY_MIB/)
  assert.deepEqual([say('open_files')!.code, say('unmeasured')!.code], ['too_many_open_files', 'sandbox_unmeasured'])
  assert.match(say('open_files')!.message, /65536 files.*no setting raises/)
  assert.match(say('lifetime')!.message, /2 minutes/)
  assert.equal(say('disposed'), undefined)
})
