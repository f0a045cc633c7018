export type Pattern = {
  bytes: Uint8Array
  /** What the finder is told. */
  id: number
  /** A form begins with it: what follows has to be looked at. Else it is all of what is looked for. */
  isPrefix: boolean
}

/** What ends at a place of a text: the longest pattern, and the longest prefix. `id` is -1 where there is none. */
export type Ending = { id: number; length: number; prefixId: number; prefixLength: number }

/** How many rows the table has room for at first. */
const rowsMin = 64
/** Classes of bytes: those in no pattern, line ends, and from then on each byte of a pattern by itself. */
const otherClass = 0
const lineEndClass = 1

/**
 * Finds many byte strings at once, in one pass (Aho and Corasick). Its table has a row for each state that texts have led
 * it to, and a column for each class of bytes; rows are worked out when they are first needed, so that a thousand strings
 * cost neither the time nor the memory of a table that hardly any text visits.
 *
 * A line end leaves it where it is: what is wrapped over lines is found.
 */
export class Automaton {
  /** Where a text begins. */
  readonly start: number
  readonly #classOf: Uint8Array
  readonly #width: number
  /** By row and class: where the next row begins; negative where something ends there; 0 where it is not worked out yet. */
  #table: Int32Array
  #rows = 1
  /** The node of each row, and the row of each node, as its place in the table. */
  #nodeOf: Int32Array
  readonly #rowOf: Int32Array
  readonly #trie: Trie

  constructor(trie: Trie) {
    this.#trie = trie
    this.#classOf = trie.classOf
    this.#width = trie.classes
    this.#table = new Int32Array(rowsMin * trie.classes)
    this.#nodeOf = new Int32Array(rowsMin)
    this.#rowOf = new Int32Array(trie.size)
    this.start = this.#row(0)
  }

  /** Goes through bytes from a place on, and answers where it is then. Tells of each byte at which something ends. */
  scan(bytes: Uint8Array, { from, at, onEnding }: Scan): number {
    const classOf = this.#classOf
    let table = this.#table
    for (let index = from; index < bytes.length; index++) {
      const column = classOf[bytes[index]!]!
      let next = table[at + column]!
      if (next <= 0) {
        if (next === 0) {
          next = this.#learn(at, column)
          table = this.#table
        }
        if (next < 0) {
          next = -next
          onEnding(this.#endingAt(next), index)
        }
      }
      at = next
    }
    return at
  }

  /** How many bytes before it may still become a pattern. Line ends among them are not counted. */
  depth(at: number): number {
    return this.#trie.depth[this.#node(at)]!
  }

  /** The longest beginning of a pattern that the text so far ends in, of those that are wanted. */
  beginning(at: number, isWanted: (pattern: Pattern, length: number) => boolean): Beginning | undefined {
    const { begunBy, depth, fail, patterns } = this.#trie
    for (let node = this.#node(at); node > 0; node = fail[node]!) {
      const pattern = patterns[begunBy[node]!]!
      if (isWanted(pattern, depth[node]!)) return { id: pattern.id, length: depth[node]! }
    }
    return undefined
  }

  #endingAt(at: number): Ending {
    const { whole, prefix, patterns } = this.#trie
    const node = this.#node(at)
    const [ending, begun] = [patterns[whole[node]! - 1], patterns[prefix[node]! - 1]]
    return {
      id: ending?.id ?? -1,
      length: ending?.bytes.length ?? 0,
      prefixId: begun?.id ?? -1,
      prefixLength: begun?.bytes.length ?? 0,
    }
  }

  #node(at: number): number {
    return this.#nodeOf[at / this.#width]!
  }

  #learn(at: number, column: number): number {
    const node = this.#node(at)
    const target = column === lineEndClass ? node : follow(this.#trie, node, column)
    const row = this.#row(target)
    const { whole, prefix } = this.#trie
    // What ended before the line end has been told of.
    const isEnding = column !== lineEndClass && (whole[target]! > 0 || prefix[target]! > 0)
    return (this.#table[at + column] = isEnding ? -row : row)
  }

  /** The first row is nobody's, so that no place is 0. */
  #row(node: number): number {
    const known = this.#rowOf[node]!
    if (known > 0) return known
    const row = this.#rows++
    if (row === this.#nodeOf.length) {
      this.#table = grown(this.#table)
      this.#nodeOf = grown(this.#nodeOf)
    }
    this.#nodeOf[row] = node
    return (this.#rowOf[node] = row * this.#width)
  }
}

export type Beginning = { id: number; length: number }
export type Scan = { from: number; at: number; onEnding: (ending: Ending, index: number) => void }

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2)
  larger.set(array)
  return larger
}

/** All patterns, those that begin alike together. Node 0 is the root, and nobody's child. */
type Trie = {
  patterns: Pattern[]
  classOf: Uint8Array
  classes: number
  size: number
  /** Of a node's children the first leads to the others. */
  firstChild: Int32Array
  sibling: Int32Array
  classOfNode: Uint8Array
  depth: Int32Array
  /** The pattern that has made the node. */
  begunBy: Int32Array
  /** The longest other beginning of a pattern that ends as this one does. */
  fail: Int32Array
  /** By number of the pattern, from 1 on, what ends here: of itself, or of what `fail` leads to. */
  whole: Int32Array
  prefix: Int32Array
}

/** Builds an automaton. Long ones take a while: it can be left and taken up again at each `yield`. */
export function* buildAutomaton(patterns: Pattern[]): Generator<void, Automaton> {
  const trie = emptyTrie(patterns)
  for (const [index, pattern] of patterns.entries()) {
    addPattern(trie, pattern, index)
    yield
  }
  yield* linkFailures(trie)
  return new Automaton(trie)
}

function emptyTrie(patterns: Pattern[]): Trie {
  const classOf = new Uint8Array(256)
  classOf[10] = classOf[13] = lineEndClass
  let classes = lineEndClass + 1
  for (const { bytes } of patterns)
    for (const byte of bytes) if (classOf[byte] === otherClass) classOf[byte] = classes++
  const room = patterns.reduce((sum, { bytes }) => sum + bytes.length, 1)
  const numbers = () => new Int32Array(room)
  return {
    patterns,
    classOf,
    classes,
    size: 1,
    firstChild: numbers(),
    sibling: numbers(),
    classOfNode: new Uint8Array(room),
    depth: numbers(),
    begunBy: numbers(),
    fail: numbers(),
    whole: numbers(),
    prefix: numbers(),
  }
}

function addPattern(trie: Trie, { bytes, isPrefix }: Pattern, index: number): void {
  let node = 0
  for (const byte of bytes) {
    const column = trie.classOf[byte]!
    node = childOf(trie, node, column) || addChild(trie, node, column, index)
  }
  const ends = isPrefix ? trie.prefix : trie.whole
  if (ends[node] === 0) ends[node] = index + 1
}

function addChild(trie: Trie, node: number, column: number, index: number): number {
  const child = trie.size++
  trie.classOfNode[child] = column
  trie.depth[child] = trie.depth[node]! + 1
  trie.begunBy[child] = index
  trie.sibling[child] = trie.firstChild[node]!
  trie.firstChild[node] = child
  return child
}

const linkedAtOnce = 10_000

/** The shallow ones first: each needs those above it. */
function* linkFailures(trie: Trie): Generator<void> {
  const { firstChild, sibling, classOfNode, fail, whole, prefix } = trie
  const queue = new Int32Array(trie.size)
  let queued = 1
  for (let index = 0; index < queued; index++) {
    if (index % linkedAtOnce === 0) yield
    const node = queue[index]!
    for (let child = firstChild[node]!; child > 0; child = sibling[child]!) {
      queue[queued++] = child
      const to = node === 0 ? 0 : follow(trie, fail[node]!, classOfNode[child]!)
      fail[child] = to
      // Its own is longer than whatever it ends with.
      if (whole[child] === 0) whole[child] = whole[to]!
      if (prefix[child] === 0) prefix[child] = prefix[to]!
    }
  }
}

/** 0 where there is none. */
function childOf({ firstChild, sibling, classOfNode }: Trie, node: number, column: number): number {
  let child = firstChild[node]!
  while (child > 0 && classOfNode[child] !== column) child = sibling[child]!
  return child
}

function follow(trie: Trie, from: number, column: number): number {
  for (let node = from; ; node = trie.fail[node]!) {
    const child = childOf(trie, node, column)
    if (child > 0 || node === 0) return child
  }
}
