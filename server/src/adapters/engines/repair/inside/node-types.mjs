// Takes the types out of TypeScript as the project's own runner would, so that Node loads what is left.
import { SourceMap, stripTypeScriptTypes } from 'node:module'

const made = new Map()

/** `source`: what is left; `lineOf`: the line of the file that a line of it comes from, both from 1. */
export function withoutTypes(source) {
  const known = made.get(source)
  if (known) return known
  const stripped = strip(source)
  const result = { ...stripped, source: withoutUnusedImports(stripped.source) }
  made.set(source, result)
  return result
}

function strip(source) {
  try {
    // What is taken out becomes blanks: nothing moves.
    return { source: stripTypeScriptTypes(source), lineOf: (line) => line }
  } catch {
    // Enums and the like are no types alone: they are written anew, and a map tells where lines went.
    const [text, map] = stripTypeScriptTypes(source, { mode: 'transform', sourceMap: true }).split(MAP)
    return { source: text, lineOf: lineReader(text, map) }
  }
}

const MAP = '//# sourceMappingURL=data:application/json;base64,'

function lineReader(text, map) {
  const places = new SourceMap(JSON.parse(Buffer.from(map ?? '', 'base64').toString() || '{}'))
  const lines = text.split('\n')
  return (line) => {
    const column = (lines[line - 1] ?? '').search(/\S/)
    return (places.findEntry(line - 1, Math.max(column, 0)).originalLine ?? line - 1) + 1
  }
}

/** Names that only types used are not there at run time. Compilers leave them out, Node asks for them. */
function withoutUnusedImports(source) {
  const counts = countWords(source)
  let text = source
  for (const { index } of source.matchAll(/^[ \t]{0,40}import\b/gm)) {
    const quote = source.slice(index).search(/['"]/)
    const end = quote < 0 ? -1 : source.indexOf(source[index + quote], index + quote + 1)
    const from = source.lastIndexOf('from', index + quote)
    const begin = source.indexOf('import', index) + 'import'.length
    const clause = source.slice(begin, from)
    if (end < 0 || from <= begin || !/^[\w$\s{},]+$/.test(clause)) continue
    const own = countWords(clause)
    let kept = 0
    const shorter = clause.replace(/(?:[\w$]+\s+as\s+)?([\w$]+)(\s*,)?/g, (one, name) => {
      if (counts.get(name) === own.get(name)) return blank(one)
      kept++
      return one
    })
    // Blanks take the place of what goes: whatever comes after stays where it is.
    if (kept) text = text.slice(0, begin) + shorter + text.slice(from)
    else if (/[\w$]/.test(clause)) text = text.slice(0, index) + blank(text.slice(index, end + 1)) + text.slice(end + 1)
  }
  return text
}

function countWords(text) {
  const counts = new Map()
  for (const [word] of text.matchAll(/[\w$]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function blank(text) {
  return text.replace(/[^\n]/g, ' ')
}
