import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { expandBranchPattern, whyNotBranchPattern } from './branch-pattern.ts'

test('a pattern that is taken makes names that git takes, whatever the title is', () => {
  for (const pattern of [
    'agent/{run}-{title}',
    '{run}',
    'x/{title}/{run}',
    '{title}_{run}',
    'a.b/{run}/c',
    'JIRA-{run}.{title}x',
  ]) {
    assert.equal(whyNotBranchPattern(pattern), null, pattern)
    for (const title of ['make-it', 'lock', '7', '']) {
      const name = expandBranchPattern(pattern, { run: 12, title })
      assert.equal(spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status, 0, name)
      assert.match(name, /(?:^|\D)12(?:\D|$)/)
    }
  }
  assert.equal(expandBranchPattern('x/{title}/{run}', { run: 7, title: '' }), 'x/7')
  assert.equal(expandBranchPattern('{title}-{run}', { run: 7, title: '' }), '7')
})

test('what could name the same branch twice, or none, is refused with the reason', () => {
  const reasons: [pattern: string, reason: RegExp][] = [
    ['feature/{title}', /must contain \{run\} once/],
    ['{run}/{run}', /must contain \{run\} once/],
    ['{title}-{run}-{title}', /only once/],
    ['x{run}', /beside \{run\}/],
    ['{run}{title}', /beside \{run\}/],
    ['1{run}', /beside \{run\}/],
    ['x/{run} y', /beside|letters/],
    ['x y/{run}', /letters, digits/],
    ['x/{run}-{user}', /letters, digits/],
    ['x~/{run}', /letters, digits/],
    ['x@{u}/{run}', /letters, digits/],
    ['/x/{run}', /valid name/],
    ['x//{run}', /valid name/],
    ['x/{run}/', /valid name/],
    ['x/{run}..y', /valid name/],
    ['-x/{run}', /valid name/],
    ['.x/{run}', /valid name/],
    ['x/{run}.lock', /valid name/],
    ['x/{run}.{title}', /valid name/],
    ['refs/heads/{run}', /valid name/],
  ]
  for (const [pattern, reason] of reasons) assert.match(whyNotBranchPattern(pattern) ?? 'taken', reason, pattern)
})
