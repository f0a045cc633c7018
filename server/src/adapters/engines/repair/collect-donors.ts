import type { Turn } from '#adapters/engines/engine.ts'
import { grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { dialectOf } from './candidates/make-candidates.ts'
import { type Ingredients, SourceFacts } from './candidates/source-facts.ts'
import { readSource } from './find-fault.ts'
import { listFiles } from './find-suites.ts'
import { isTestPath } from './suite.ts'

const FILES_MAX = 200
const DONORS_MAX = 8
const EACH_MAX = 40
const SOURCE_CHARACTERS = 100_000

/** Code of other files of the repository that uses only names which this file has, too: of the most alike files first. */
export async function collectDonors(turn: Turn, file: string, source: string): Promise<Ingredients['donors']> {
  const grammar = grammarOf(file)
  const parser = await openParser(grammar)
  const known = wordsIn(source)
  const files = (await listFiles(turn.sandbox, turn.signal))
    .filter((other) => other !== file && !isTestPath(other) && /\.([cm]?[jt]sx?|py)$/.test(other))
    .filter((other) => (grammarOf(other) === 'python') === (grammar === 'python'))
  const others: { text: string; likeness: number }[] = []
  for (const other of files.slice(0, FILES_MAX)) {
    const text = (await readSource(turn, other)).slice(0, SOURCE_CHARACTERS)
    const words = wordsIn(text)
    const shared = [...words].filter((word) => known.has(word)).length
    others.push({ text, likeness: shared / Math.max(words.size, 1) })
  }
  const donors = others.sort((a, b) => b.likeness - a.likeness).slice(0, DONORS_MAX)
  const found: Ingredients['donors'] = { expressions: [], conditions: [], statements: [] }
  for (const { text } of donors) {
    const tree = parser.parse(text)
    if (!tree) continue
    const facts = new SourceFacts(text, tree.rootNode, dialectOf(grammar))
    found.expressions.push(...facts.expressions.filter((one) => /\W/.test(one)))
    found.conditions.push(...facts.conditions)
    found.statements.push(...facts.simpleStatements)
    tree.delete()
  }
  const usable = (texts: string[]) =>
    [...new Set(texts)].filter((one) => [...wordsIn(one)].every((word) => known.has(word))).slice(0, EACH_MAX)
  return {
    expressions: usable(found.expressions),
    conditions: usable(found.conditions),
    statements: usable(found.statements),
  }
}

function wordsIn(text: string): Set<string> {
  return new Set(text.match(/[A-Za-z_$][\w$]*/g))
}
