import assert from 'node:assert/strict'
import { after, afterEach } from 'node:test'

/** What was not as GitHub publishes it, until a test has failed by it. */
export type Deviations = {
  report(what: string): void
  /** Throws what was reported since it was called last. */
  raise(): void
}

/** Each fails the test in which it comes up: after it, or, where the server is one test's own, at its end. */
export function openDeviations(): Deviations {
  const found = new Set<string>()
  const raise = () => {
    const all = [...found]
    found.clear()
    assert.equal(all.length, 0, `This is not as GitHub publishes it:\n${all.join('\n')}`)
  }
  // Programs that are no tests have no tests to fail.
  if (process.env['NODE_TEST_CONTEXT']) {
    afterEach(raise)
    after(raise)
  }
  return { report: (what) => found.add(what), raise }
}
