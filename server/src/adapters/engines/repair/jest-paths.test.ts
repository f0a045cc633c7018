import assert from 'node:assert/strict'
import { test } from 'node:test'

// It runs in the sandbox and has no types.
const program: string = './inside/jest-paths.mjs'
type Paths = { mapPath(mapper: [string, string | string[]][], name: string): string }
const { mapPath } = (await import(program)) as Paths

const mapper: [string, string][] = [
  ['^@/(.*)$', '/w/src/$1'],
  ['^~\\/(.*)\\.js$', '/w/lib/$1.ts'],
  ['^lodash-es$', 'lodash'],
  ['\\.css$', '/w/style.js'],
  ['^a.c$', 'any'],
  ['^both/(.*)/(.*)$', '/w/$1/$2'],
]

test('what settings of jest say of a name is meant by it', () => {
  const names = ['@/util/add', '~/x.js', 'lodash-es', 'lodash', './a.css', 'abc', 'both/x/y', '~/.js', '@/']
  assert.deepEqual(
    names.map((name) => mapPath(mapper, name)),
    ['/w/src/util/add', '/w/lib/x.ts', 'lodash', 'lodash', './a.css', 'abc', 'both/x/y', '/w/lib/.ts', '/w/src/'],
  )
  assert.equal(mapPath([['^a/(.*)$', ['/first/$1', '/second/$1']]], 'a/$1'), '/first/$1')
})
