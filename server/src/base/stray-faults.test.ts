import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const module = path.join(import.meta.dirname, 'stray-faults.ts')

/** What a process prints in which three pieces of work leave faults behind, in callbacks and promises, and one of nobody. */
const program = `
  import { connect } from 'node:net'
  import { catchStrayFaults, ownFaults } from ${JSON.stringify(module)}
  catchStrayFaults((error) => console.log('nobody', error.message))
  const work = (name, act) => ownFaults((error) => console.log(name, error.message), act)
  const late = Promise.withResolvers()
  work('first', () => setTimeout(() => { throw new Error('in a callback') }, 1))
  work('second', () => void (async () => { await null; throw new Error('in a promise') })())
  work('third', () => void late.promise.then(() => {}))
  work('fourth', () => connect('/there/is/no/such/socket'))
  setTimeout(() => late.reject(new Error('later, by another')), 20)
  setTimeout(() => { throw new Error('outside') }, 40)
  setTimeout(() => console.log('the process goes on'), 80)
`

test('a fault that nobody catches ends the work that it belongs to, and never the process', async () => {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program]
  const { stdout } = await run(process.execPath, flags)
  assert.deepEqual(stdout.trim().split('\n').toSorted(), [
    'first in a callback',
    'fourth connect ENOENT /there/is/no/such/socket',
    'nobody outside',
    'second in a promise',
    'the process goes on',
    'third later, by another',
  ])
})
