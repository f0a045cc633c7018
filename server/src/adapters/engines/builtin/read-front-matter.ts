export type FrontMatter = { fields: Map<string, string[]>; body: string }

const HEAD_CHARACTERS_MAX = 4_000

/**
 * What stands between two lines of `---` at the beginning of a file, as a list of words for each name. Not by a reader of YAML: the
 * tools that these files are written for take `globs: *.ts`, which is none.
 */
export function readFrontMatter(text: string): FrontMatter {
  const head = text.slice(0, HEAD_CHARACTERS_MAX).replaceAll('\r\n', '\n')
  const end = head.startsWith('---\n') ? head.indexOf('\n---', 3) : -1
  if (end < 0) return { fields: new Map(), body: text }
  const fields = new Map<string, string[]>()
  let words: string[] = []
  for (const line of head.slice(4, end).split('\n')) {
    const [, name, value = ''] = /^(\w[\w-]*):(.*)$/.exec(line) ?? []
    if (name !== undefined) {
      words = wordsOf(value)
      fields.set(name, words)
    } else if (line.trim() !== '') words.push(unquoted(line.trim().replace(/^- +/, '')))
  }
  const body = text.replaceAll('\r\n', '\n').slice(end + 4)
  return { fields, body: body.slice(body.indexOf('\n') + 1).trim() }
}

function wordsOf(value: string): string[] {
  const text = value.trim()
  if (/^[>|][+-]?$/.test(text) || text === '') return []
  if (text.startsWith('[') && text.endsWith(']'))
    return text
      .slice(1, -1)
      .split(',')
      .map((word) => unquoted(word.trim()))
  return [unquoted(text)]
}

function unquoted(word: string): string {
  const quote = word[0]
  return word.length > 1 && (quote === '"' || quote === "'") && word.endsWith(quote) ? word.slice(1, -1) : word
}
