import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { runStatuses } from '../../server/src/domain/runs/run.ts'
import { findNamed, findStyled, type NamedClasses } from './find-classes.ts'

const folder = path.resolve(import.meta.dirname, '../../web/src')
const read = (pattern: string) =>
  globSync(pattern, { cwd: folder, exclude: ['**/*.test.ts'] }).map((file) => ({
    file,
    text: readFileSync(path.join(folder, file), 'utf8'),
  }))
const sheets = read('styles/*.css').map(({ text }) => text)
const sources = read('**/*.{ts,tsx}').map(({ file, text }) => ({ file, ...findNamed(file, text) }))

/** The classes with rules that no source names. The status of a run is a class too. */
function findDead(sheets: string[], sources: NamedClasses[]): string[] {
  const known = new Set([...sources.flatMap(({ names, perhaps }) => [...names, ...perhaps]), ...runStatuses])
  const starts = sources.flatMap(({ starts }) => [...starts])
  const styled = new Set(sheets.flatMap((sheet) => [...findStyled(sheet)]))
  return [...styled].filter((name) => !known.has(name) && !starts.some((start) => name.startsWith(start))).sort()
}

test('every class that has rules is named by a source of the web UI', () => {
  assert.deepEqual(findDead(sheets, sources), [])
})

test('every class that a source names has rules', () => {
  const styled = new Set(sheets.flatMap((sheet) => [...findStyled(sheet)]))
  const named = sources.flatMap(({ file, names }) => [...names].map((name) => ({ file, name })))
  assert.deepEqual(
    named.filter(({ name }) => !styled.has(name)),
    [],
  )
})

test('what a composed name begins with ends with a hyphen, so that it stands for few', () => {
  const starts = sources.flatMap(({ starts }) => [...starts])
  assert.deepEqual(
    starts.filter((start) => !/^[a-z]+-$/.test(start)),
    [],
  )
})

test('a class that nothing names any more fails the check', () => {
  const planted =
    '.panel > .forgotten:hover, .icon-gone { content: ".text" } /* .remark */ @media (width > 1.5rem) { .card.lost { color: red } }'
  assert.deepEqual(findDead([...sheets, planted], sources), ['forgotten', 'lost'])
  const without = sources.filter(({ file }) => file !== 'ui/skeleton.tsx')
  assert.deepEqual(findDead(sheets, without), ['skel', 'text'])
})

test('classes are found wherever they are written, looked up or composed, and other words are not', () => {
  const code = `
    const classes = { keyword: 'hl-key' }
    const looks: Record<string, string> = { open: 'in_progress' }
    const verdicts = { yes: ['Approved', 'completed'] }
    type Props = { kind: 'add' | 'del'; state: 'gone'; size: number; title?: string }
    const toneOf = (kind: string) => (kind === 'same' ? 'quiet' : 'loud')
    function markOf(kind: string) { if (kind === 'none') return 'none-mark'; return '' }
    export function Row({ kind, size, isOpen, title = 'a title', state }: Props) {
      const [word, tone] = verdicts.yes
      return (
        <li title="a word" className={isOpen && 'is-open'}>
          <b className={\`row size-\${size} \${kind} \${tone} \${looks[state]}\`}>{word}</b>
          <Button look={kind === 'shut' ? 'primary sm' : toneOf(kind)} className={['one', markOf(kind)].join(' ')} />
        </li>
      )
    }`
  const { names, perhaps, starts } = findNamed('row.tsx', code)
  const written = [
    'add',
    'del',
    'hl-key',
    'in_progress',
    'is-open',
    'loud',
    'none-mark',
    'one',
    'primary',
    'quiet',
    'row',
    'sm',
  ]
  assert.deepEqual([...names].sort(), written)
  assert.deepEqual([...perhaps].sort(), ['Approved', 'completed', 'keyword', 'open', 'yes'])
  assert.deepEqual([...starts], ['size-'])
})
