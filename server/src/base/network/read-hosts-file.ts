import { isIP } from 'node:net'

/** The addresses of each name in a file such as `/etc/hosts`; names in lower case. */
export function readHostsFile(text: string): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address, ...names] = wordsOf(line)
    if (address === undefined || !isIP(address)) continue
    for (const name of names.map((one) => one.toLowerCase())) {
      const known = found.get(name)
      if (!known) found.set(name, [address])
      else if (!known.includes(address)) known.push(address)
    }
  }
  return found
}

/** What stands in a line before its comment. */
export function wordsOf(line: string): string[] {
  const at = line.search(/[#;]/)
  return (at < 0 ? line : line.slice(0, at)).split(/\s/).filter(Boolean)
}
