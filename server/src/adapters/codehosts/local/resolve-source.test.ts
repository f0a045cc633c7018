import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { AppError } from '#base/errors.ts'
import { testFolder } from '#test/test-git.ts'
import { resolveSource } from './resolve-source.ts'

const pieces = ['file:///', 'http://', 'https://', 'git://', 'ssh://', '/', '//', '@', ':', '%', '%zz', '%00', '%2e%2e']
const more = [
  '?',
  '#',
  '[::1]',
  '[',
  '\\',
  '..',
  '\0',
  '\n',
  ' ',
  'a.test',
  '0x7f.1',
  'ä',
  '\ud800',
  '-u',
  '443',
  '.git',
]
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...pieces, ...more)).map((all) => all.join('')),
)

test('whatever somebody writes as an address is taken, or refused in a sentence', async () => {
  const folder = await testFolder()
  const rules = { importPaths: [folder], privateHosts: ['a.test'], asker: 1, lookup: async () => ['127.0.0.1'] }
  const anyAddress = fc.tuple(fc.constantFrom('', ...pieces, `${folder}/`, `file://${folder}/`), anyText)
  await fc.assert(
    fc.asyncProperty(anyAddress, async ([front, text]) => {
      try {
        const { address, protocols } = await resolveSource(front + text, rules)
        assert.ok(address && protocols.length === 1)
      } catch (error) {
        assert.ok(error instanceof AppError && error.status === 400 && error.message.length > 20, String(error))
      }
    }),
    { numRuns: 3_000 },
  )
})
