import type { Turn } from '#adapters/engines/engine.ts'
import { grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { dialectOf } from './candidates/make-candidates.ts'
import { type Ingredients, SourceFacts } from './candidates/source-facts.ts'
import { readSource } from './find-fault.ts'
import { listFiles } from './find-suites.ts'
import { languages } from './languages.ts'
import { isTestPath, type Suite } from './suite.ts'

const FILES_MAX = 200
const DONORS_MAX = 8
const EACH_MAX = 40
const SOURCE_CHARACTERS = 100_000

type Source = { file: string; text: string; words: ReadonlySet<string> }

/** The repository's sources that may lend code to files of a suite's language: read once for all files that are suspected. */
export async function readDonors(turn: Turn, { language }: Pick<Suite, 'language'>): Promise<Source[]> {
  const files = (await listFiles(turn.sandbox, turn.signal)).filter(
    (file) => !isTestPath(file) && languages[language].sources.test(file),
  )
  const sources: Source[] = []
  for (const file of files.slice(0, FILES_MAX)) {
    const text = (await readSource(turn, file)).slice(0, SOURCE_CHARACTERS)
    sources.push({ file, text, words: wordsIn(text) })
  }
  return sources
}

/** Code of other files of the repository that uses only names which this file has, too: of the most alike files first. */
export async function collectDonors(
  sources: readonly Source[],
  { file, source }: { file: string; source: string },
): Promise<Ingredients['donors']> {
  const grammar = grammarOf(file)
  const parser = await openParser(grammar)
  const known = wordsIn(source)
  const likenessTo = (words: ReadonlySet<string>) =>
    [...words].filter((word) => known.has(word)).length / Math.max(words.size, 1)
  const others = sources
    .filter((other) => other.file !== file)
    .map(({ text, words }) => ({ text, likeness: likenessTo(words) }))
  const donors = others.sort((a, b) => b.likeness - a.likeness).slice(0, DONORS_MAX)
  const found: Ingredients['donors'] = { expressions: [], conditions: [], statements: [] }
  for (const { text } of donors) {
    const tree = parser.parse(text)
    if (!tree) continue
    const facts = new SourceFacts(text, tree.rootNode, dialectOf(grammar))
    found.expressions.push(...facts.expressions.filter((one) => /\W/.test(one)))
    found.conditions.push(...facts.conditionsAt(tree.rootNode).map((one) => one.text))
    found.statements.push(...facts.statementsAt(tree.rootNode))
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
