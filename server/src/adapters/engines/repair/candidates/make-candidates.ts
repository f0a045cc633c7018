import type { Node, Parser } from 'web-tree-sitter'
import { type Dialect, NAMES } from './dialect.ts'
import { conditionEdits } from './condition-edits.ts'
import { consistencyEdits } from './consistency-edits.ts'
import { goDialect } from './go-dialect.ts'
import { goEdits } from './go-edits.ts'
import { idiomEdits } from './idiom-edits.ts'
import { javascriptDialect } from './javascript-dialect.ts'
import { javascriptEdits } from './javascript-edits.ts'
import { type Edit, joinEdits } from './join-edits.ts'
import { type Kind, kinds } from './kinds.ts'
import { loopEdits } from './loop-edits.ts'
import { nameEdits } from './name-edits.ts'
import { type Operator, operatorEdits } from './operator-edits.ts'
import { orderEdits } from './order-edits.ts'
import { patternEdits } from './pattern-edits.ts'
import { pythonDialect } from './python-dialect.ts'
import { pythonEdits } from './python-edits.ts'
import { raiseConstants } from './raise-constants.ts'
import { smallEdits } from './small-edits.ts'
import { type Ingredients, SourceFacts } from './source-facts.ts'
import type { Grammar } from '#adapters/engines/syntax/open-parser.ts'
import { statementEdits } from './statement-edits.ts'
import { textEdits } from './text-edits.ts'
import { findTwins } from './twins.ts'
import { truthEdits } from './truth-edits.ts'
import { wideEdits } from './wide-edits.ts'

/** One edit of one file: the text from `start` to `end` becomes `text`. */
export type Candidate = Edit & {
  kind: Kind
  line: number
  /** How likely such an edit is; and by how suspicious its line is, too. */
  prior: number
  score: number
  /** The higher, the sooner it is tried. */
  order: number
}

/** `scope`: where the outermost function around it begins. */
type Made = Omit<Candidate, 'order'> & { size: number; scope: number; usesIdle: boolean }

const PLACES_MAX = 6
const ALL_PLACES_WEIGHT = 0.85
/** What uses a variable that is made for nothing is so much likelier. */
const IDLE_FACTOR = 2
/** What takes a variable's only use away is so much less likely. */
const WASTE_FACTOR = 0.6
/** What sets apart two statements that are written alike is so much less likely. */
const PARTING_FACTOR = 0.6
const PRIOR_MAX = 1
/** What may be wrong in the same way at several places of one function. */
const repeated = new Set<Kind>([
  'wrong_name',
  'comparison',
  'arithmetic',
  'constant',
  'attribute',
  'wrong_function',
  'api_pair',
  'text',
  'equality',
  'nullish',
  'await',
  'missing_self',
])

/**
 * Every single edit at a line that a failing test ran, the likeliest first by what it does, how suspicious its line is, and
 * how many like it there are; of equals, the smaller. The same source and lines give the same list. What puts in whatever is in
 * scope is tried only at lines that are as suspicious as `wideFrom`.
 */
export function makeCandidates(
  parser: Parser,
  grammar: Grammar,
  source: string,
  suspicions: Record<string, number>,
  ingredients?: Ingredients,
  wideFrom = 0,
): Candidate[] {
  const tree = parser.parse(source)
  if (!tree) return []
  try {
    const { dialect, edits } = tables[grammar]
    const narrow = [
      ...operatorEdits,
      ...nameEdits,
      ...loopEdits,
      ...edits,
      ...truthEdits,
      ...idiomEdits,
      ...textEdits,
      ...patternEdits,
      ...consistencyEdits,
      ...orderEdits,
    ]
    const all = [...narrow, ...statementEdits, ...wideEdits, ...smallEdits, ...conditionEdits]
    const facts = new SourceFacts(source, tree.rootNode, dialect, ingredients)
    const raised = raiseConstants(tree.rootNode, source, suspicions)
    const found = new Map<string, Made>()
    const twinsOf = findTwins(facts)
    for (const node of facts.nodes) {
      const suspicion = suspicionOf(node, facts, raised)
      if (!suspicion) continue
      const idle = facts.idleNamesAt(node)
      const twins = twinsOf(node)
      for (const operator of suspicion >= wideFrom ? all : narrow) {
        operator(node, facts, (named, start, end, text, weight = 1) => {
          const edit = { start, end, text }
          const isGone = isIdle(node, edit) || (copying.has(named) && isChangedForNobody(node, edit))
          const kind = isGone ? 'deleted' : named
          const before = source.slice(start, end)
          const key = `${start}:${end}:${text}`
          if (before === text) return
          const usesIdle = putsIn(idle, edit, source)
          const factors = [
            usesIdle ? IDLE_FACTOR : 1,
            twins.parts(edit) ? PARTING_FACTOR : 1,
            kind === 'deleted' || !facts.leavesIdle(node, before, text) ? 1 : WASTE_FACTOR,
          ]
          const prior = Math.min(
            factors.reduce((product, one) => product * one, kinds[kind][0] * weight),
            PRIOR_MAX,
          )
          const score = prior * suspicion
          const known = found.get(key)
          if (known && known.score >= score) return
          const size = Math.abs(text.length - before.length) + Math.min(text.length, before.length) / 4
          const line = node.startPosition.row + 1
          const scope = facts.outermostFunction(node).startIndex
          found.set(key, { kind, start, end, text, line, prior, score, size, scope, usesIdle })
        })
      }
    }
    // Stable: of equals the one that the tables name first.
    const isNamed = (one: Made) => putsIn(facts.failures.words, one, source)
    return withOrder([...found.values(), ...atAllPlaces([...found.values()], source)], isNamed)
      .sort((a, b) => b.order - a.order || a.size - b.size || a.start - b.start)
      .map(({ size: _size, scope: _scope, usesIdle: _usesIdle, ...candidate }) => candidate)
  } finally {
    tree.delete()
  }
}

/**
 * In a large file thousands of edits put in whatever is in scope at the most suspicious lines. Each of them is the less likely
 * the more there are of its kind at its place; and where a line stands among others says less than what is done to it.
 */
const CROWD_POWER = 0.4
/** So many signs, names or numbers that may be meant at a place are no crowd. */
const CROWD_MIN = 5
const SUSPICION_POWER = 0.75
/** What puts in a word that the failing tests end with is so much likelier. */
const NAMED_FACTOR = 1.5

function withOrder(made: Made[], isNamed: (one: Made) => boolean): (Made & { order: number })[] {
  const crowds = new Map<string, number>()
  const crowdOf = ({ kind, start, end, usesIdle }: Made) => `${kind} ${start} ${end} ${usesIdle}`
  for (const one of made) crowds.set(crowdOf(one), (crowds.get(crowdOf(one)) ?? 0) + 1)
  return made.map((one) => ({
    ...one,
    order:
      ((isNamed(one) ? NAMED_FACTOR : 1) * one.prior * (one.score / one.prior) ** SUSPICION_POWER) /
      Math.max(crowds.get(crowdOf(one))! / CROWD_MIN, 1) ** CROWD_POWER,
  }))
}

function putsIn(words: ReadonlySet<string>, { start, end, text }: Edit, source: string): boolean {
  if (!words.size) return false
  const before = source.slice(start, end)
  return text.match(NAMES)?.some((word) => words.has(word) && !before.includes(word)) ?? false
}

/** Whether all that is left of a statement is a value that nobody takes: then it is gone, however that was done. */
function isIdle(node: Node, { start, end, text }: Edit): boolean {
  const isWhole = node.parent?.type === 'expression_statement' && start === node.startIndex && end === node.endIndex
  return isWhole && !/[(=`]|\b(await|yield)\b|\+\+|--/.test(text)
}

const copying = new Set<Kind>(['copied', 'converted', 'missing_call', 'slice'])

/** Whether a statement that changes a value would change something made of it: `f(list).append(x)`. */
function isChangedForNobody(node: Node, { start, end }: Pick<Edit, 'start' | 'end'>): boolean {
  const call = node.parent?.parent
  const isWhole = start === node.startIndex && end === node.endIndex
  return (
    isWhole && call?.parent?.type === 'expression_statement' && call.childForFieldName('function')?.startIndex === start
  )
}

type Table = { dialect: Dialect; edits: Operator[] }

const javascript: Table = { dialect: javascriptDialect, edits: javascriptEdits }

const tables: Record<Grammar, Table> = {
  javascript,
  typescript: javascript,
  tsx: javascript,
  python: { dialect: pythonDialect, edits: pythonEdits },
  go: { dialect: goDialect, edits: goEdits },
}

export function dialectOf(grammar: Grammar): Dialect {
  return tables[grammar].dialect
}

/** The same edit wherever the same text stands in one function, as one edit of all that lies between. */
function atAllPlaces(single: Made[], source: string): Made[] {
  const groups = new Map<string, Made[]>()
  for (const one of single) {
    if (!repeated.has(one.kind)) continue
    const key = JSON.stringify([one.kind, one.scope, source.slice(one.start, one.end), one.text])
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => {
    const places = group.toSorted((a, b) => a.start - b.start)
    if (places.length < 2 || places.length > PLACES_MAX) return []
    const score = Math.max(...places.map((one) => one.score)) * ALL_PLACES_WEIGHT
    return [
      { ...places[0]!, ...joinEdits(source, places), score, size: places.reduce((sum, one) => sum + one.size, 0) },
    ]
  })
}

export function applyCandidate(source: string, candidate: Edit): string {
  return source.slice(0, candidate.start) + candidate.text + source.slice(candidate.end)
}

/** Of the node's own line, or of its statement's: a tracer names only the first line of many a statement. */
function suspicionOf(node: Node, { dialect }: SourceFacts, suspicions: Record<string, number>): number {
  let suspicion = suspicions[node.startPosition.row + 1] ?? 0
  for (let at: Node | null = node; at; at = at.parent) {
    if (dialect.isFunction(at) && at.id !== node.id) break
    if (!dialect.isStatement(at)) continue
    suspicion = Math.max(suspicion, suspicions[at.startPosition.row + 1] ?? 0)
    break
  }
  return suspicion
}
