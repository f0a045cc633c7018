import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parseSync } from 'vite'

const root = path.resolve(import.meta.dirname, '../..')

/** What people read: the UI, the API's description, the command line, errors, and documentation. Decisions keep their own words. */
const read = ['README.md', 'docs/*.md', 'openapi.json', 'cli/src/*.ts', 'server/src/base/errors.ts']

/** Words that this product once used and that a reader of English stumbles over, with what is said instead. */
const refused: [RegExp, string][] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\b(?:whoever|whomever)\b/i, 'anyone who, the person who'],
  [/\b(?:send|sends|sent|sending) (?:it|them|one|a run|runs) on\b/i, 'follow up'],
  [/\bat work\b/i, 'running'],
  [/\bnot now\b/i, 'cancel'],
  [/\bleave as it is\b/i, 'cancel'],
  [/\b(?:make|copy) it\b(?! (?:a|the|your|his|her|its)\b)/i, 'create, import'],
  [/\b(?:looked|look|looks) through\b/i, 'sync'],
  [/\bstands? still\b/i, 'pause'],
  [/\bnobody (?:knows|understood)\b/i, 'unknown'],
  [/\b(?:sent|send|sends) away\b/i, 'turn off'],
  [/\bin come\b/i, 'only … can'],
  [/\bbig bytes\b/i, 'blobs'],
  [/\bcolour/i, 'color'],
  [/\bneighbour/i, 'neighbor'],
  [/\bbehaviour/i, 'behavior'],
]

test('words that have no place in what people read are not there', () => {
  const found = globSync(read, { cwd: root }).flatMap((file) =>
    readFileSync(path.join(root, file), 'utf8')
      .split('\n')
      .flatMap((line, index) => refused.flatMap(([word, better]) => name(file, { index, line, word, better }))),
  )
  assert.deepEqual(found, [])
})

/** Sources by hand, their tests and what is written about them; migrations stay as they ran. */
const sources = ['{server,cli,sdk,web}/{src,test,e2e}/**/*.{ts,tsx}', '{bin,bench}/**/*.ts', '*.md', 'docs/**/*.md']

/** Of names too, where a capital begins a word: what an expert of the field would not search for. The tables keep theirs. */
const unsearched: [RegExp, string][] = [
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bdoors?\b/i, 'Git gateway, sandbox proxy, entry point'],
  [/\bgivings\b/i, 'assignments'],
  [/\bpull[ -]agents?\b/i, 'CI fixer'],
  [/\bhost[ -](?:talk|requests?)\b/i, 'forge, mention'],
  [/\brun[ -]repl(?:y|ies)\b/i, 'status comment'],
  [/\b(?:unheard|speakers?)\b/i, 'ignored reason, author'],
  [/\b(?:announcer|pulse|run face)\b/i, 'notifier, signal, run version'],
  [/\b(?:ask together|look seldom|room in|until reached|until stopped)\b/i, 'batcher, memoizeFor, drained, …'],
  [/\b(?:keep visible|read hello)\b/i, 'stripHiddenMarkdown, parseClientHello'],
  [/\b(?:exec apart|lacking walls|require walls)\b/i, 'own namespace, isolation'],
]

test('names, comments and documents have the words that are searched for', () => {
  const any = new RegExp(unsearched.map(([word]) => word.source).join('|'), 'i')
  const exclude = ['**/generated/**', 'CHANGELOG.md', '**/words.test.ts']
  const found = globSync(sources, { cwd: root, exclude }).flatMap((file) => {
    const text = `${file}\n${readFileSync(path.join(root, file), 'utf8')}`
    const words = text.replaceAll(/\p{Ll}(?=\p{Lu})/gu, '$& ').replaceAll(/(?<=\w)-(?=\w)/g, ' ')
    if (!any.test(words)) return []
    return words
      .split('\n')
      .flatMap((line, index) =>
        unsearched.flatMap(([word, better]) => name(file, { index: index - 1, line, word, better })),
      )
  })
  assert.deepEqual(found, [])
})

type Place = { index: number; line: string; word: RegExp; better: string }

function name(file: string, { index, line, word, better }: Place): string[] {
  const match = word.exec(line)
  if (!match) return []
  const around = line.slice(Math.max(0, match.index - 40), match.index + 40).trim()
  return [`${file}:${index + 1}: "${match[0]}" (${better}) in "…${around}…"`]
}

/** As names of variables, parameters and functions of one's own they say nothing of what they hold. */
const vague = new Set(['given', 'wanted', 'told', 'said', 'draw', 'drawn'])

test('what a file names itself says what it is', () => {
  const code = globSync(['{server,cli,sdk,web}/{src,test,e2e}/**/*.{ts,tsx}', '{bin,bench}/**/*.ts'], { cwd: root })
  const found = code
    .filter((file) => !file.includes('/generated/'))
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8')
      if (![...vague].some((word) => text.includes(word))) return []
      return boundNames(parseSync(file, text).program).flatMap((word) => (vague.has(word) ? [`${file}: ${word}`] : []))
    })
  assert.deepEqual(found, [])
})

type Node = { type: string; [part: string]: unknown }

/** The names that a program gives to variables, parameters and functions. */
function boundNames(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(boundNames)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const { type, id, params = [], param, ...parts } = node as Node
  const bound = type === 'VariableDeclarator' || type.endsWith('Function') || type === 'FunctionDeclaration' ? [id] : []
  const names = [...bound, ...(params as unknown[]), param].flatMap(namesOfPattern)
  return [...names, ...Object.values({ id, params, param, ...parts }).flatMap(boundNames)]
}

/** Those of one binding: `a`, `{ b: c = 1 }`, `[d]`, `...e`. */
function namesOfPattern(pattern: unknown): string[] {
  if (Array.isArray(pattern)) return pattern.flatMap(namesOfPattern)
  if (typeof pattern !== 'object' || pattern === null) return []
  const { type, name, properties, elements, value, left, argument } = pattern as Node
  if (type === 'Identifier') return [String(name)]
  if (type === 'AssignmentPattern') return namesOfPattern(left)
  if (type === 'RestElement') return namesOfPattern(argument)
  return [properties, elements, type === 'Property' ? value : undefined].flatMap(namesOfPattern)
}
