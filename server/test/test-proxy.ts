import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'
import type { SandboxProxy } from '#app/app.ts'
import { readConfig } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { openRedactor, type KnownSecret } from '#base/redaction/redactor.ts'
import { listEgress, type RecordedEgress } from '#domain/runs/egress/list-egress.ts'
import { saveEgress } from '#domain/repos/egress/save-egress.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { Patience } from '#proxy/egress-policy.ts'
import { openProxy, type OwnService } from '#proxy/open-proxy.ts'
import { makeHeldRun } from './make-run.ts'
import { testDb } from './test-db.ts'

export type OpenTestProxy = {
  /** As the organization writes them. */
  allow?: string[]
  /** What names mean; a name that is not among them is not found. */
  names?: Record<string, string[] | (() => string[] | Promise<string[]>)>
  /** Those that whoever runs the service has named; every name when left out, since all servers of tests are on loopback. */
  privateHosts?: string[]
  services?: Record<string, OwnService>
  patience?: Patience
  /** What the run knows and must not show. */
  secrets?: KnownSecret[]
  onCanary?: () => void
}

type TestDb = Awaited<ReturnType<typeof testDb>>

export type TestProxy = {
  proxy: SandboxProxy
  holder: Holder
  /** Where a program of the test reaches the proxy, as one in the sandbox does. */
  url: string
  /** What the proxy has recorded. */
  asked: () => Promise<RecordedEgress[]>
}

/** Proxies over a real database, each of a run of its own that is at work. Call once at the top of a file. */
export async function testProxies(): Promise<{
  db: TestDb
  openSandboxProxy: (options: OpenTestProxy) => Promise<TestProxy>
}> {
  const db = await testDb()
  return { db, openSandboxProxy: (options) => openTestProxy(db, options) }
}

async function openTestProxy(db: TestDb, options: OpenTestProxy): Promise<TestProxy> {
  const {
    allow = [],
    names = {},
    privateHosts = Object.keys(names),
    services = {},
    patience,
    secrets = [],
    onCanary,
  } = options
  const { holder } = await makeHeldRun(db)
  await saveEgress(db, { organizationId: holder.organizationId, repoId: null, allow, presets: [] })
  const config = readConfig({ RUNWRIGHT_PRIVATE_HOSTS: privateHosts.join() }, { root: os.tmpdir() })
  const lookup = async (name: string) => {
    const found = names[name] ?? []
    return typeof found === 'function' ? found() : found
  }
  const redactor = openRedactor(secrets, onCanary)
  const app = {
    pool: db,
    config,
    logger: openLogger({ level: 'silent' }),
    redactors: { of: () => redactor },
    names: { lookup },
  }
  const proxy = openProxy(app, { services, patience })(holder)
  const server = createServer({ allowHalfOpen: true }, (connection) => proxy.connect(connection))
  const port = await listen(server)
  after(async () => {
    server.close()
    await proxy[Symbol.asyncDispose]()
  })
  const asked = async () => (await listEgress(db, { ...holder, of: holder, skip: 0, limit: 1_000 })).items
  return { proxy, holder, url: `http://127.0.0.1:${port}`, asked }
}

/** Listens on loopback, at a port that is free. */
export async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

export type Certificate = { key: string; certificate: string; certificateFile: string }

/** A certificate for these names, signed by itself; the file is what programs are told to trust. */
export async function makeCertificate(names: string[]): Promise<Certificate> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-certificate-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const certificateFile = path.join(folder, 'certificate.pem')
  const kind = '-x509 -nodes -days 2 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -subj /CN=test -keyout -'
  const alternatives = `subjectAltName=${names.map((name) => `DNS:${name}`).join()}`
  const options = ['req', ...kind.split(' '), '-addext', alternatives, '-out', certificateFile]
  const { stdout } = await promisify(execFile)('openssl', options)
  return { key: stdout, certificate: await readFile(certificateFile, 'utf8'), certificateFile }
}
