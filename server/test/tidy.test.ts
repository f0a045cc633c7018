import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { errorCodes } from '#base/errors.ts'
import { routes } from '#http/routes/index.ts'

const root = path.resolve(import.meta.dirname, '../..')
const sources = globSync(['server/src/**/*.ts', 'cli/src/**/*.ts', 'sdk/src/**/*.ts'], {
  cwd: root,
  exclude: ['**/generated/**', '**/node_modules/**'],
})
const code = sources.filter((file) => !file.endsWith('.test.ts'))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

test('no file or folder has a name that says nothing', () => {
  const empty = /^(utils?|helpers?|common|shared|types|lib|misc)(\.ts)?$/
  assert.deepEqual(
    sources.filter((file) =>
      file
        .split('/')
        .slice(2)
        .some((part) => empty.test(part)),
    ),
    [],
  )
})

test('a verb of the domain is in the file of its name', () => {
  const verbs = code.filter((file) => file.startsWith('server/src/domain/') && path.basename(file).includes('-'))
  const strangers = verbs.filter((file) => {
    const name = path.basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    return !new RegExp(`^export (type |class |const |function |async function[*]? )?\\w*${name}\\b`, 'im').test(
      read(file),
    )
  })
  assert.deepEqual(strangers, [])
})

test('every file of an endpoint is listed among the routes', () => {
  const listed = new Set(routes.map((route) => route.operationId))
  const files = code
    .filter((file) => /^server\/src\/http\/routes\/\w[\w-]*\//.test(file))
    .filter((file) => /defineRoute\(/.test(read(file)))
  assert.ok(files.length > 20)
  for (const file of files) {
    const name = path.basename(file, '.ts').replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
    assert.ok(listed.has(name), `${file} is not in routes/index.ts`)
  }
})

test('every error code has a page that says what to do', () => {
  const page = read('docs/errors.md')
  const missing = Object.keys(errorCodes).filter((word) => !page.includes(`\`${word}\``))
  assert.deepEqual(missing, [])
})

test('no page holds what a merge left undecided', () => {
  // The formatter turns the end of a conflict into a quote.
  const marks = /^(?:<{7} |>{7} |(?:> ){7}|={7}$|\| ={7} )/m
  const pages = globSync(['*.md', 'docs/**/*.md', '.ci/*', 'bin/*.sh'], { cwd: root })
  assert.ok(pages.length > 100)
  assert.deepEqual(
    pages.filter((file) => marks.test(read(file))),
    [],
  )
})

test('no file waits for something to be done later without saying what', () => {
  assert.deepEqual(
    code.filter((file) => /\b(FIXME|XXX|HACK)\b|\bTODO(?!\(#\d+\))/.test(read(file))),
    [],
  )
})
