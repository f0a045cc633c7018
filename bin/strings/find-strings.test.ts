import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findStrings } from './find-strings.ts'

test('texts that people read are found, and names are not', () => {
  const code = `
    import { Button } from './button with spaces.tsx'
    type Kind = 'Big one' | 'small'
    const words = { failed: 'It failed.', Open: 'Opened' }
    export const Page = ({ name, kind }: { name: string; kind: Kind }) => (
      <section className="flex items-center gap-2" aria-label={\`Runs of \${name}\`} title="A list">
        <a href="/organizations/1">Back to
          all runs</a>
        {kind === 'Big one' ? 'One big run' : words.failed} {key === 'Enter' && press('Enter')}
        <Button kind="sm danger">Stop</Button>
      </section>
    )`
  assert.deepEqual(findStrings('page.tsx', code), [
    'It failed.',
    'Opened',
    'Runs of {…}',
    'A list',
    'Back to all runs',
    'One big run',
    'Stop',
  ])
})
