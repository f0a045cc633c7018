import { realpath, readFile, stat } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import type { Asker, Lookup } from '#base/network/names.ts'
import { HostRefused, resolveHost } from '#base/network/resolve-host.ts'

export type ImportRules = {
  /** Folders of this machine below which repositories may be imported. */
  importPaths: readonly string[]
  /** Hosts, as `name` or `name:port`, that may be imported from though they are not public. */
  privateHosts: readonly string[]
  /** For whom it is imported, and how hosts are found by their names. */
  asker: Asker
  lookup: Lookup
}

/** A source that may be imported: what git is told so that it goes there and nowhere else. */
export type ImportSource = {
  /** What git fetches from; without credentials. */
  address: string
  /** The source as it is kept and shown. */
  importedFrom: string
  protocols: string[]
  config: [string, string][]
  environment: Record<string, string>
  /** The folder on this machine that git may open though it belongs to somebody else. */
  trustedFolder: string | null
  /** Words that must not show up in what git says. */
  secrets: string[]
}

/** Rejects with `import_not_allowed` for what may not be imported, and says which setting would allow it. */
export async function resolveSource(source: string, rules: ImportRules): Promise<ImportSource> {
  if (source.startsWith('/')) return resolvePath(source, rules)
  const url = URL.parse(source)
  if (url?.protocol === 'file:' && !url.host) return resolvePath(decoded(url.pathname), rules)
  if (!url || !['http:', 'https:', 'git:'].includes(url.protocol) || !url.hostname) {
    throw refused(
      'A repository is imported from an address that starts with https://, http:// or git://, or from an absolute path on the server.',
    )
  }
  return resolveUrl(url, rules)
}

const refused = (message: string, cause?: unknown) =>
  new AppError('import_not_allowed', { message, ...(cause === undefined ? {} : { cause }) })

async function resolveUrl(url: URL, rules: ImportRules): Promise<ImportSource> {
  const host = url.hostname.replace(/\.$/, '').replace(/^\[|\]$/g, '')
  const addresses = await checkedAddresses(host, url, rules)
  const { username, password } = url
  const [clean, shown] = [withoutCredentials(url, host), withoutCredentials(url, host)]
  shown.search = ''
  const common = { protocols: [url.protocol.slice(0, -1)], trustedFolder: null, importedFrom: shown.href }
  if (url.protocol === 'git:') {
    const virtualHost = url.port ? `${host}:${url.port}` : host
    clean.hostname = bracketed(addresses[0])
    return {
      ...common,
      address: clean.href,
      config: [],
      environment: { GIT_OVERRIDE_VIRTUAL_HOST: virtualHost },
      secrets: [],
    }
  }
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const config: [string, string][] = [['http.followRedirects', 'false']]
  // The name is not looked up again: what was checked is what is dialled.
  if (!isIP(host)) config.push(['http.curloptResolve', `${host}:${port}:${addresses.map(bracketed).join(',')}`])
  const [name, word] = [decoded(username), decoded(password)]
  const authorization = Buffer.from(`${name}:${word}`).toString('base64')
  // In the environment, since everybody on the machine may read a command line.
  if (name || word) config.push(['http.extraHeader', `Authorization: Basic ${authorization}`])
  const secrets = [password, word, password ? '' : username, password ? '' : name, authorization].filter(Boolean)
  return { ...common, address: clean.href, config, environment: {}, secrets }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw refused('The address has a "%" that stands for no character: write a percent sign itself as %25.', cause)
  }
}

const bracketed = (address: string) => (isIP(address) === 6 ? `[${address}]` : address)

function withoutCredentials(url: URL, host: string): URL {
  const clean = new URL(url)
  clean.hostname = bracketed(host)
  clean.username = ''
  clean.password = ''
  clean.hash = ''
  return clean
}

async function checkedAddresses(host: string, url: URL, rules: ImportRules): Promise<[string, ...string[]]> {
  const port = Number(url.port || { 'https:': 443, 'git:': 9418 }[url.protocol] || 80)
  try {
    return await resolveHost({ host, port, ...rules })
  } catch (error) {
    if (!(error instanceof HostRefused)) throw error
    if (error.why === 'not_found')
      throw new AppError('import_failed', { message: `The host ${host} was not found.`, cause: error })
    throw refused(
      `${host} is not a host of the public internet. Whoever runs the service can allow it with RUNWRIGHT_PRIVATE_HOSTS.`,
    )
  }
}

async function resolvePath(source: string, { importPaths }: ImportRules): Promise<ImportSource> {
  const allowed = (await Promise.all(importPaths.map(realPath))).filter((folder) => folder !== null)
  const folder = await realPath(source)
  // The same answer for what is missing, so that nobody can look around on the server.
  if (folder === null || !isBelow(folder, allowed)) throw refusedPath(source)
  const gitFolder = await findGitFolder(folder)
  const objects = [gitFolder, path.join(gitFolder, 'objects'), ...(await readAlternates(gitFolder))]
  for (const part of objects) {
    const real = await realPath(part)
    if (real !== null && !isBelow(real, allowed)) throw refusedPath(source)
  }
  return {
    address: folder,
    importedFrom: folder,
    protocols: ['file'],
    config: [],
    environment: {},
    trustedFolder: gitFolder,
    secrets: [],
  }
}

const refusedPath = (source: string) =>
  refused(
    `${source} is not a folder that may be imported. Whoever runs the service can allow it with RUNWRIGHT_IMPORT_PATHS.`,
  )

async function realPath(file: string): Promise<string | null> {
  return realpath(file).catch(() => null)
}

function isBelow(file: string, folders: string[]): boolean {
  return folders.some((folder) => file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
}

/** Of a bare repository itself; of a work tree its `.git`, which in a linked one is a file that names another folder. */
async function findGitFolder(folder: string): Promise<string> {
  const inside = path.join(folder, '.git')
  const kind = await stat(inside).catch(() => null)
  if (!kind) return folder
  if (kind.isDirectory()) return (await realPath(inside)) ?? inside
  if (!kind.isFile() || kind.size > limits.gitFileBytesMax) return folder
  const named = /^gitdir: (.+)/.exec(await readFile(inside, 'utf8').catch(() => ''))?.[1]
  if (named === undefined) return folder
  throw refused(`${folder} is a linked work tree. Import the repository that it belongs to.`)
}

async function readAlternates(gitFolder: string): Promise<string[]> {
  const objects = path.join(gitFolder, 'objects')
  const text = await readFile(path.join(objects, 'info', 'alternates'), 'utf8').catch(() => '')
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  return lines.map((line) => path.resolve(objects, line))
}
