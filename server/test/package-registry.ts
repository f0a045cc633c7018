import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import path from 'node:path'
import { after } from 'node:test'
import { digest, makeTarball, makeZip, packFolder, type ArchiveFiles } from './archives.ts'
import { listen, makeCertificate } from './test-proxy.ts'

/** A registry of packages for npm, pip, Go and Cargo, with one small package for each, and managers of packages of Node. */
export type PackageRegistry = {
  /** As programs reach it: under the name that its user has chosen for loopback. */
  url: string
  host: string
  /** The same with TLS, by a certificate that nobody knows. */
  secure: { url: string; host: string; certificate: string }
  /** The paths that were asked for, in their order. */
  asked: string[]
  /** Of the package of npm. */
  integrity: string
  /** As `go.sum` has them, of the module and of its go.mod. */
  goSums: [module: string, manifest: string]
  /** Of the crate. */
  checksum: string
}

/** The one version of each. */
export const packages = { npm: 'left-side', pip: 'right-side', go: 'example.test/inner', cargo: 'outer-side' } as const
const version = '1.0.0'

const npmTarball = makeTarball({
  'package/package.json': JSON.stringify({ name: packages.npm, version, main: 'index.js' }),
  'package/index.js': "module.exports = () => 'left'\n",
})

const wheelName = 'right_side-1.0.0-py3-none-any.whl'
const information = 'right_side-1.0.0.dist-info'
const wheel = makeZip({
  'right_side.py': "def side():\n    return 'right'\n",
  [`${information}/METADATA`]: `Metadata-Version: 2.1\nName: ${packages.pip}\nVersion: ${version}\n`,
  [`${information}/WHEEL`]: 'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
  [`${information}/RECORD`]: `right_side.py,,\n${information}/METADATA,,\n${information}/WHEEL,,\n${information}/RECORD,,\n`,
})

const goManifest = `module ${packages.go}\n\ngo 1.18\n`
const goFiles: ArchiveFiles = {
  [`${packages.go}@v${version}/go.mod`]: goManifest,
  [`${packages.go}@v${version}/inner.go`]: 'package inner\n\nfunc Side() string { return "inner" }\n',
}
const goZip = makeZip(goFiles)

const crate = makeTarball({
  [`${packages.cargo}-${version}/Cargo.toml`]: `[package]\nname = "${packages.cargo}"\nversion = "${version}"\nedition = "2021"\n`,
  [`${packages.cargo}-${version}/src/lib.rs`]: 'pub fn side() -> &\'static str { "outer" }\n',
})

/** As Go counts: a digest of the digests of all files, in the order of their names. */
function goSum(files: ArchiveFiles): string {
  const lines = Object.entries(files).sort(([one], [other]) => (one < other ? -1 : 1))
  const text = lines.map(([name, content]) => `${digest('sha256', content)}  ${name}\n`).join('')
  return `h1:${digest('sha256', text, 'base64')}`
}

/** Listens on loopback until the file's tests are done; `name` is what whoever asks is told that address means. */
export async function startPackageRegistry({ name }: { name: string }): Promise<PackageRegistry> {
  const asked: string[] = []
  const answers: Answers = new Map()
  const serve =
    (scheme: string): RequestListener =>
    (request, response) => {
      // npm writes the slash of a scope as %2f.
      const route = decodeURIComponent(request.url!.split('?')[0]!)
      asked.push(route)
      const answer = answers.get(route)
      if (!answer) return void response.writeHead(404).end('{}')
      response.setHeader('content-type', route.startsWith('/simple/') ? 'text/html' : 'application/octet-stream')
      // Whoever asks under another name is sent on under that.
      response.end(answer(`${scheme}://${request.headers.host}`))
    }
  const { key, certificate } = await makeCertificate([name])
  const servers = [createServer(serve('http')), createSecureServer({ key, cert: certificate }, serve('https'))] as const
  const [port, securePort] = [await listen(servers[0]), await listen(servers[1])]
  after(() => {
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
  })
  const host = `${name}:${port}`
  const url = `http://${host}`
  serveNpm(answers, { name: packages.npm, version, tarball: () => npmTarball })
  for (const [manager, bin] of [
    ['pnpm', 'bin/pnpm.cjs'],
    ['@yarnpkg/cli-dist', 'bin/yarn.js'],
  ] as const)
    serveInstalled(answers, { manager, bin })
  answers.set(
    '/simple/right-side/',
    () => `<a href="/wheels/${wheelName}#sha256=${digest('sha256', wheel)}">${wheelName}</a>`,
  )
  answers.set(`/wheels/${wheelName}`, () => wheel)
  const module = `/go/${packages.go}/@v/`
  answers.set(`${module}list`, () => `v${version}\n`)
  answers.set(`${module}v${version}.info`, () =>
    JSON.stringify({ Version: `v${version}`, Time: '2026-01-01T00:00:00Z' }),
  )
  answers.set(`${module}v${version}.mod`, () => goManifest)
  answers.set(`${module}v${version}.zip`, () => goZip)
  const checksum = digest('sha256', crate)
  answers.set('/cargo/config.json', (base) =>
    JSON.stringify({ dl: `${base}/cargo/crates/{crate}/{version}`, api: null }),
  )
  const indexed = { name: packages.cargo, vers: version, deps: [], cksum: checksum, features: {}, yanked: false }
  answers.set('/cargo/ou/te/outer-side', () => `${JSON.stringify(indexed)}\n`)
  answers.set(`/cargo/crates/${packages.cargo}/${version}`, () => crate)
  return {
    url,
    host,
    secure: { url: `https://${name}:${securePort}`, host: `${name}:${securePort}`, certificate },
    asked,
    integrity: `sha512-${digest('sha512', npmTarball, 'base64')}`,
    goSums: [goSum(goFiles), goSum({ 'go.mod': goManifest })],
    checksum,
  }
}

type Answers = Map<string, (base: string) => string | Buffer>
type NpmPackage = { name: string; version: string; bin?: Record<string, string>; tarball: () => Buffer }

function serveNpm(answers: Answers, { name, version, bin, tarball }: NpmPackage): void {
  const file = `/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
  let made: Buffer | undefined
  const bytes = () => (made ??= tarball())
  answers.set(file, bytes)
  answers.set(`/${name}`, (base) => {
    const dist = { tarball: base + file, integrity: `sha512-${digest('sha512', bytes(), 'base64')}` }
    const versions = { [version]: { name, version, dist, ...(bin && { bin }) } }
    // What is very new is not trusted by some.
    const time = { [version]: '2020-01-01T00:00:00.000Z' }
    return JSON.stringify({ name, 'dist-tags': { latest: version }, versions, time })
  })
}

/** A manager of packages as it is installed here for that. */
function serveInstalled(answers: Answers, { manager, bin }: { manager: string; bin: string }): void {
  const folder = installedFolder(manager)
  const command = bin.includes('yarn') ? 'yarn' : manager
  serveNpm(answers, {
    name: manager,
    version: managers[manager as keyof typeof managers],
    bin: { [command]: bin },
    tarball: () => packFolder(folder),
  })
}

/** As server/package.json names them. */
export const managers = { pnpm: '10.34.8', '@yarnpkg/cli-dist': '4.18.1' } as const

export const installedFolder = (name: string): string => path.resolve(import.meta.dirname, '../../node_modules', name)
