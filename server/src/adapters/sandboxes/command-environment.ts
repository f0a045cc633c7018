import path from 'node:path'
import { ownAuthor, type Author } from '#base/own-author.ts'

/** What git takes for the machine's settings. Work trees are written by another user than the one who looks at them. */
export const gitConfig = ({ name, email }: Author = ownAuthor): string => `[safe]
	directory = *
[advice]
	detachedHead = false
[init]
	defaultBranch = main
[user]
	name = ${quoted(name)}
	email = ${quoted(email)}
`

const quoted = (value: string): string => `"${value.replaceAll(/["\\]/g, '\\$&').replaceAll(/\s+/g, ' ')}"`

const systemFolders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin']

/** The environment of every command: nothing of the service's is in it. */
export function commandEnvironment(options: {
  home: string
  temporary: string
  nodeFolder: string
  ripgrep: string | null
}): Record<string, string> {
  const own = new Set([...(options.ripgrep ? [path.dirname(options.ripgrep)] : []), options.nodeFolder])
  return {
    PATH: [...systemFolders, ...own].join(':'),
    HOME: options.home,
    TMPDIR: options.temporary,
    USER: 'agent',
    LOGNAME: 'agent',
    SHELL: '/bin/bash',
    LANG: 'C.UTF-8',
    // Programs shall neither ask, nor page, nor draw: nobody is there.
    CI: '1',
    TERM: 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** What npm, pip, cargo, go, git, apt, curl and Node take from the environment. Some read only the lower-case names. */
export function proxyEnvironment(proxyUrl: string): Record<string, string> {
  const names = {
    HTTP_PROXY: proxyUrl,
    HTTPS_PROXY: proxyUrl,
    ALL_PROXY: proxyUrl,
    NO_PROXY: 'localhost,127.0.0.1,::1',
  }
  const lowerCase = Object.entries(names).map(([name, value]) => [name.toLowerCase(), value])
  // Yarn since its second version knows these alone.
  const own = { YARN_HTTP_PROXY: proxyUrl, YARN_HTTPS_PROXY: proxyUrl, NODE_USE_ENV_PROXY: '1' }
  return { ...names, ...Object.fromEntries(lowerCase), ...own }
}

/** Bait, and its names by which the exec agent keeps it from commands. */
export function baitEnvironment(bait: Record<string, string> = {}): Record<string, string> {
  const names = Object.keys(bait)
  return names.length ? { ...bait, RUNWRIGHT_BAIT: names.join(',') } : {}
}
