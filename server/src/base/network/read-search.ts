import { wordsOf } from './read-hosts-file.ts'

/** How the system completes names, as a file such as `/etc/resolv.conf` says. */
export type Search = {
  /** Domains that a short name is tried in. */
  domains: string[]
  /** A name with fewer dots than this is tried in them first. */
  dots: number
}

const dotsMax = 15

export function readSearch(text: string): Search {
  const search: Search = { domains: [], dots: 1 }
  for (const line of text.split('\n')) {
    const [keyword, ...words] = wordsOf(line)
    // The last of these lines counts, whichever of the two it is.
    if (keyword === 'search' || keyword === 'domain') search.domains = words.map((word) => word.replace(/\.$/, ''))
    if (keyword === 'options')
      for (const word of words) {
        const dots = word.startsWith('ndots:') ? Number(word.slice('ndots:'.length)) : NaN
        if (Number.isInteger(dots) && dots >= 0) search.dots = Math.min(dots, dotsMax)
      }
  }
  search.domains = search.domains.filter(Boolean)
  return search
}

/** The full names that a name may stand for, in the order in which they are tried. */
export function candidatesOf(name: string, { domains, dots }: Search): string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)]
  const completed = domains.map((domain) => `${name}.${domain}`)
  return name.split('.').length - 1 >= dots ? [name, ...completed] : [...completed, name]
}
