/** Where a repository lies: `port` is null over SSH, where it says nothing of the same host over HTTP. */
export type GitPlace = { host: string; port: string | null; path: string }

const partsMax = 20

/**
 * Reads an address by which a repository names another one, such as `../lib.git`, `https://host/acme/lib` or
 * `git@host:acme/lib.git`. Null for all else: files and folders, programs, options, and whatever holds signs that no
 * address of a repository has. `from`: the address that it is relative to; where that is empty, none may be relative.
 */
export function readGitUrl(url: string, from: string): GitPlace | null {
  if (url.length > 1_000 || !/^[\x21-\x7e]+$/.test(url) || url.startsWith('-') || url.includes('::')) return null
  const isRelative = url.startsWith('./') || url.startsWith('../')
  const scp = /^[A-Za-z0-9._-]+@([A-Za-z0-9.-]+):([^/].*)$/.exec(url)
  const at = isRelative ? URL.parse(url, `${from}/`) : URL.parse(scp ? `ssh://${scp[1]}/${scp[2]}` : url)
  if (!at || !protocols.has(at.protocol) || !at.hostname) return null
  const path = at.pathname
    .replace(/^\//, '')
    .replace(/\/$/, '')
    .replace(/\.git$/, '')
  const parts = path.split('/')
  if (parts.length > partsMax || !parts.every((part) => /^[A-Za-z0-9_.~-]+$/.test(part) && !part.startsWith('-')))
    return null
  const isHttp = at.protocol === 'https:' || at.protocol === 'http:'
  return { host: at.hostname.toLowerCase(), port: isHttp ? at.port : null, path }
}

const protocols = new Set(['https:', 'http:', 'ssh:'])
