import { Parser } from 'htmlparser2'

/** Deeper than pages are; a list of the elements that are open is searched for each end of one. */
const DEPTH_MAX = 1_000
const INDENTS_MAX = 10
const ADDRESS_CHARACTERS_MAX = 500

const names = (words: string): ReadonlySet<string> => new Set(words.split(' '))
/** What people do not read on a page. */
const silent = names(
  'script style template noscript svg math iframe frame object embed canvas audio video select datalist head',
)
const blocks = names(
  'p div section article main header footer nav aside form fieldset figure figcaption address details summary dl dt dd ul ol table thead tbody tfoot tr hr blockquote pre h1 h2 h3 h4 h5 h6 title body',
)
const tight = names('div tr dt dd li thead tbody tfoot summary figcaption')

type Attributes = Record<string, string>
type List = { number: number | null }

/** The text of an HTML page as Markdown, with its title first. Elements that the page itself hides are left out. Reads what strangers wrote. */
export function writeMarkdown(html: string, pageUrl: string): { title: string; text: string; isWhole: boolean } {
  const page = openPage(pageUrl)
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      onclosetag: (name) => page.close(name),
      ontext: (text) => page.write(text),
    },
    { decodeEntities: true },
  )
  try {
    parser.end(html)
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error
    return { ...page.finish(), isWhole: false }
  }
  return { ...page.finish(), isWhole: true }
}

class TooDeep extends Error {}

function openPage(pageUrl: string) {
  const out = openLines()
  const lists: List[] = []
  const links: { href: string | null; start: number }[] = []
  let depth = 0
  /** The depth of the element in which nothing is read. */
  let silentAt = 0
  let title: string | null = null
  let isInTitle = false

  return {
    open(name: string, attributes: Attributes): void {
      if (++depth > DEPTH_MAX) throw new TooDeep()
      if (name === 'title' && title === null) {
        isInTitle = true
        title = ''
      }
      if (silentAt > 0) return
      if (silent.has(name) || isHidden(attributes)) {
        silentAt = depth
        return
      }
      if (name === 'br') out.endLine()
      if (blocks.has(name)) out.endBlock(!tight.has(name) && !(lists.length > 0 && /^[uo]l$/.test(name)))
      if (/^h[1-6]$/.test(name)) out.write(`${'#'.repeat(Number(name[1]))} `)
      if (name === 'ul' || name === 'ol') lists.push({ number: name === 'ol' ? 1 : null })
      if (name === 'li') beginItem(out, lists)
      if (name === 'blockquote') out.quote(1)
      if (name === 'pre') out.setRaw(true)
      if (name === 'code' && !out.isRaw()) out.write('`')
      if (name === 'b' || name === 'strong') out.write('**')
      if (name === 'td' || name === 'th') out.write('| ')
      if (name === 'hr') out.write('---')
      if (name === 'a') links.push({ href: addressOf(attributes['href'], pageUrl), start: out.length() })
      if (name === 'img' && attributes['alt']?.trim()) out.write(`![${attributes['alt'].trim()}]`)
    },
    close(name: string): void {
      const closing = depth--
      if (name === 'title') isInTitle = false
      if (silentAt > 0) {
        if (closing === silentAt) silentAt = 0
        return
      }
      if (name === 'a') {
        const link = links.pop()
        if (link?.href && out.length() > link.start) out.write(` <${link.href}>`)
      }
      if (name === 'code' && !out.isRaw()) out.write('`')
      if (name === 'b' || name === 'strong') out.write('**')
      if (name === 'td' || name === 'th') out.write(' ')
      if (name === 'pre') out.setRaw(false)
      if (name === 'blockquote') out.quote(-1)
      if (name === 'ul' || name === 'ol') lists.pop()
      if (blocks.has(name) || name === 'li')
        out.endBlock(!tight.has(name) && !(lists.length > 0 && /^[uo]l$/.test(name)))
    },
    write(text: string): void {
      if (isInTitle && title !== null) title += text
      if (silentAt === 0 && !isInTitle) out.write(text)
    },
    finish: () => ({ title: (title ?? '').replaceAll(/\s+/g, ' ').trim().slice(0, 300), text: out.finish() }),
  }
}

function beginItem(out: ReturnType<typeof openLines>, lists: List[]): void {
  out.endLine()
  const list = lists.at(-1)
  const mark = list?.number == null ? '-' : `${list.number++}.`
  out.mark(`${'  '.repeat(Math.min(Math.max(lists.length - 1, 0), INDENTS_MAX))}${mark} `)
}

function isHidden({ hidden, style = '', type }: Attributes): boolean {
  if (hidden !== undefined || type === 'hidden') return true
  const rules = style.slice(0, 2_000).replaceAll(/\s+/g, '').toLowerCase()
  return /(?:^|;)(?:display:none|visibility:hidden|opacity:0(?:\.0+)?(?:;|!|$)|font-size:0(?:[a-z%]*)(?:;|!|$))/.test(
    rules,
  )
}

/** For people to follow: addresses of the web alone. */
function addressOf(href: string | undefined, pageUrl: string): string | null {
  if (href === undefined || href.startsWith('#') || href.length > ADDRESS_CHARACTERS_MAX) return null
  const url = URL.parse(href.trim(), pageUrl)
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

/** Lines of text in which white space counts as a page shows it. Each line is put together once, however many pieces it has. */
function openLines() {
  const lines: string[] = []
  let pieces: string[] = []
  let endsInSpace = false
  let length = 0
  let hasBlankLine = true
  let quotes = 0
  let isRaw = false
  const add = (text: string) => {
    if (text === '') return
    pieces.push(text)
    endsInSpace = text.endsWith(' ')
  }
  const push = () => {
    const text = isRaw ? pieces.join('') : pieces.join('').trimEnd()
    pieces = []
    if (text === '' && !isRaw && hasBlankLine) return
    hasBlankLine = text === ''
    lines.push(`${'> '.repeat(Math.min(quotes, INDENTS_MAX))}${text}`)
  }
  const endLine = () => {
    if (pieces.length > 0) push()
  }
  return {
    isRaw: () => isRaw,
    length: () => length,
    endLine,
    endBlock(isApart: boolean): void {
      endLine()
      if (isApart && !hasBlankLine) push()
    },
    quote(by: 1 | -1): void {
      quotes += by
    },
    setRaw(raw: boolean): void {
      endLine()
      isRaw = false
      add('```')
      push()
      isRaw = raw
    },
    /** Of marks each space counts. */
    mark(text: string): void {
      add(text)
    },
    write(text: string): void {
      length += text.length
      if (!isRaw) {
        const flat = text.replaceAll(/\s+/g, ' ')
        add(pieces.length === 0 || endsInSpace ? flat.trimStart() : flat)
        return
      }
      for (const [index, part] of text.split('\n').entries()) {
        if (index > 0) push()
        add(part)
      }
    },
    finish(): string {
      endLine()
      return lines.join('\n').trim()
    },
  }
}
