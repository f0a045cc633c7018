import path from 'node:path'
import { splitHosts } from '#base/network/database-hosts.ts'
import { parseCrash, type Crash } from '#base/crash-points.ts'
import { findDataDir } from './find-data-dir.ts'
import { readEngines, type EnginesConfig } from './read-engines.ts'
import { openReader, secretOf, type Environment, type Reader } from './open-reader.ts'
import { readModel } from './read-model.ts'
import { parseHostName } from '#base/network/host-name.ts'
import { parseId } from '#base/ids.ts'
import { isHostName, isNameServer, isNetwork, parseListen, type Listen } from '#base/network/network-address.ts'
import { labelPattern } from '#base/labels.ts'
import { logLevels, type LogLevel } from '#base/logger.ts'
import type { ModelConfig } from '#base/models/model-config.ts'
import { parseQuotas, quotasDefault, quotasWanted, type Quotas } from '#base/rate-limits.ts'
import { Secret } from '#base/secrets/secret.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { storageLimits } from '#base/storage-limits.ts'
import type { TracesConfig } from '#base/telemetry/traces.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** Where big bytes lie. */
export type BlobsConfig =
  | { kind: 'folder'; folder: string }
  | {
      kind: 's3'
      bucket: string
      prefix: string
      endpoint: string
      region: string
      accessKeyId: Secret
      secretAccessKey: Secret
    }

/** Where agents work. */
export type SandboxConfig = {
  /** `auto`: bubblewrap where it works, else Pods or containers where an image is named. */
  provider: 'auto' | 'bubblewrap' | 'container' | 'kubernetes'
  /** The socket of the container engine. Null: the first that is there. */
  engine: string | null
  /** In which containers and Pods are started. Null: none are. */
  image: string | null
  /** Of containers, as the engine calls it; of Pods, their RuntimeClass. Null: the engine's or the cluster's own. */
  runtime: string | null
  /** Whether this process is in a Pod of a cluster. */
  isInCluster: boolean
  /** How many containers or Pods are ready before a run needs one, at most. */
  poolSize: number
}

/** Who people are is said by this provider of OpenID Connect. */
export type OpenIdConfig = {
  issuer: string
  clientId: string
  clientSecret: Secret
  /** The only domains of e-mail addresses that are let in, in lower case. Empty: all. */
  emailDomains: string[]
  /** Who is not known yet becomes a MEMBER of this organization. Null: is not let in. */
  organizationId: number | null
}

/** Everything that the operator may set. Printing it shows no secret. */
export type Config = {
  root: string
  /** 0: any that is free. */
  port: number
  host: string
  /** Where deploy keys are served by SSH. Null: nowhere. */
  ssh: Listen | null
  /** Where people reach that, without a slash at the end. Null: at the host of `publicUrl`, and the port that is listened on. */
  sshUrl: string | null
  /** Without a slash at the end. Null: the address that the server listens on. */
  publicUrl: string | null
  dataDir: string
  /** Null: the embedded PostgreSQL in the data folder. */
  databaseUrl: Secret | null
  secretKey: Secret | null
  /** The one before and the one to come, which are accepted too while it is changed. */
  previousSecretKey: Secret | null
  nextSecretKey: Secret | null
  adminToken: Secret | null
  /** Null: people sign in with tokens alone. */
  openId: OpenIdConfig | null
  unsafeSandbox: boolean
  sandbox: SandboxConfig
  scripted: boolean
  /** Whether credentials that open nothing are planted in sandboxes; a run that shows one is stopped. */
  canaries: boolean
  /** Agents of others that drive runs. */
  engines: EnginesConfig
  /** Where the process is to end, to see whether another one goes on well. Null: nowhere. */
  crashAt: Crash | null
  importPaths: string[]
  /** What an organization, one repository and one run may take up, and what one run's log may hold. */
  storageBytes: { organization: number; repo: number; run: number; log: number }
  /** The largest repository that is imported. */
  importBytes: number
  privateHosts: string[]
  /** Certificate authorities in PEM form that are trusted besides those that Node.js brings. */
  caFile: string | null
  /** Asked for the addresses of names. Empty: those of the system. */
  nameServers: string[]
  /** Connections to PostgreSQL that one process holds at most, besides two or three that it listens with. */
  databaseConnections: number
  workerSlots: number
  /** Where workers of other machines connect to. Null: none do. */
  remoteWorkers: Listen | null
  /** What those may show that take the runs of all organizations; on their machines, what they are let in by. */
  workerToken: Secret | null
  /** Of a remote worker: the service that it works for, without a slash at the end. */
  serviceUrl: string | null
  /** A run is taken only by a worker that has all labels that the run asks for. */
  workerLabels: string[]
  /** Where repositories lie, when not in the data folder: a folder that all processes share. */
  gitDir: string | null
  /** Where a worker reaches the repositories over HTTP instead. Without a slash at the end. */
  gitUrl: string | null
  /** How long a run with finished work waits for a code host that is away. */
  hostWaitMs: number
  /** What a work tree gets of its repository's large files (Git LFS); none with 0. */
  lfsBytes: number
  /** How long a process that was told to end still takes requests while it says that it is not ready. */
  drainSeconds: number
  blobs: BlobsConfig
  /** What one sandbox may use. */
  sandboxDiskBytes: number
  sandboxMemoryBytes: number
  /** Who holds the size of a sandbox's files: whoever looks now and then, or the kernel. */
  sandboxDisk: 'polled' | 'kernel'
  /** What the setups of repositories leave is kept for later work trees, up to this much; 0: it is not kept. */
  snapshotBytes: number
  /** For each token. */
  rateLimits: Quotas
  /** How many wrong tokens one address may show in a minute before it is slowed; 0: any number. */
  wrongTokensMax: number
  /** Whose X-Forwarded-For says where a request comes from: addresses or networks. */
  trustedProxies: string[]
  logLevel: LogLevel
  /** Where Prometheus may read the metrics of this process; port 0: any that is free. Null: nowhere. */
  metrics: Listen | null
  /** Where spans are sent to; null: nothing is traced. */
  traces: TracesConfig | null
  model: ModelConfig
  /** What the operator should know about the values above. */
  notes: string[]
}

/** Reads all settings; the only place that knows environment variables. Throws one error that lists every wrong one. */
export function readConfig(
  env: Environment,
  { root, isRoot = process.getuid?.() === 0 }: { root: string; isRoot?: boolean },
): Config {
  const read = openReader(env)
  const data = findDataDir(read.text('RUNWRIGHT_DATA_DIR'), { root, isRoot })
  const publicUrl = withoutSlash(read.url('RUNWRIGHT_PUBLIC_URL', ['http:', 'https:']))
  const config: Config = {
    root,
    port: read.number('PORT', { min: 0, max: 65_535, otherwise: 3900 }),
    host: read.text('HOST') ?? '127.0.0.1',
    ...readSsh(read),
    publicUrl,
    dataDir: data.folder,
    databaseUrl: secretOf(readDatabaseUrl(read)),
    ...readSecretKeys(read),
    adminToken: secretOf(read.long('RUNWRIGHT_ADMIN_TOKEN')),
    openId: readOpenId(read, publicUrl),
    unsafeSandbox: read.boolean('RUNWRIGHT_UNSAFE_SANDBOX'),
    sandbox: readSandbox(read),
    scripted: read.boolean('RUNWRIGHT_SCRIPTED'),
    canaries: !read.boolean('RUNWRIGHT_NO_CANARIES'),
    engines: readEngines(read, env),
    crashAt: read.parsed('RUNWRIGHT_CRASH_AT', 'a crash point, such as tool.begun or tool.begun:3', parseCrash) ?? null,
    importPaths: read.list('RUNWRIGHT_IMPORT_PATHS', {
      separator: ':',
      isValid: (item) => path.isAbsolute(item),
      expected: 'absolute paths with ":" between them',
    }),
    ...readStored(read),
    importBytes: mebibytes(read.number('RUNWRIGHT_IMPORT_MIB', { min: 1, max: 1_048_576, otherwise: 2048 })),
    ...readReach(read),
    databaseConnections: read.number('RUNWRIGHT_DATABASE_CONNECTIONS', { min: 4, max: 200, otherwise: 10 }),
    ...readWorker(read),
    gitDir: read.text('RUNWRIGHT_GIT_DIR') ?? null,
    gitUrl: withoutSlash(read.url('RUNWRIGHT_GIT_URL', ['http:', 'https:'])),
    hostWaitMs: 60_000 * read.number('RUNWRIGHT_HOST_WAIT_MINUTES', { min: 0, max: 10_080, otherwise: 1_440 }),
    drainSeconds: read.number('RUNWRIGHT_DRAIN_SECONDS', { min: 0, max: 600, otherwise: 2 }),
    blobs: readBlobs(read, data.folder),
    sandboxDiskBytes: mebibytes(
      read.number('RUNWRIGHT_SANDBOX_DISK_MIB', { min: 64, max: 1_048_576, otherwise: 4096 }),
    ),
    snapshotBytes: mebibytes(read.number('RUNWRIGHT_SNAPSHOTS_MIB', { min: 0, max: 104_857_600, otherwise: 20_480 })),
    sandboxMemoryBytes: mebibytes(
      read.number('RUNWRIGHT_SANDBOX_MEMORY_MIB', { min: 256, max: 1_048_576, otherwise: 2048 }),
    ),
    sandboxDisk: read.word('RUNWRIGHT_SANDBOX_DISK', ['polled', 'kernel'] as const) ?? 'polled',
    rateLimits: read.parsed('RUNWRIGHT_RATE_LIMITS', quotasWanted, parseQuotas) ?? quotasDefault,
    logLevel: read.word('RUNWRIGHT_LOG_LEVEL', logLevels) ?? 'info',
    metrics:
      read.parsed('RUNWRIGHT_METRICS', 'a port, or an address and port such as 127.0.0.1:9464', parseListen) ?? null,
    traces: readTraces(read),
    model: readModel(read),
    notes: data.note ? [data.note] : [],
  }
  if (config.crashAt && !config.scripted)
    read.faults.push('RUNWRIGHT_CRASH_AT is for tests: it needs RUNWRIGHT_SCRIPTED=1.')
  if (isInImage(config.sandbox) && config.sandboxDisk === 'kernel')
    read.faults.push(
      'RUNWRIGHT_SANDBOX_DISK=kernel needs RUNWRIGHT_SANDBOX=bubblewrap: no engine limits the disk of a container everywhere.',
    )
  if (read.faults.length)
    throw new Error(`The settings are not valid:\n${read.faults.map((fault) => `  ${fault}`).join('\n')}`)
  return config
}

type WorkerSettings = Pick<Config, 'workerSlots' | 'workerLabels' | 'remoteWorkers' | 'workerToken' | 'serviceUrl'>

function readWorker(read: Reader): WorkerSettings {
  const expected = 'a port, or an address and port such as 127.0.0.1:3901'
  const settings: WorkerSettings = {
    workerSlots: read.number('RUNWRIGHT_WORKER_SLOTS', { min: 0, max: 1_000, otherwise: 2 }),
    workerLabels: read.list('RUNWRIGHT_WORKER_LABELS', {
      separator: ',',
      isValid: (item) => labelPattern.test(item),
      expected: 'labels with "," between them: lower-case letters, digits, ".", "_", ":" and "-"',
    }),
    remoteWorkers: read.parsed('RUNWRIGHT_REMOTE_WORKERS', expected, parseListen) ?? null,
    workerToken: secretOf(read.long('RUNWRIGHT_WORKER_TOKEN')),
    serviceUrl: withoutSlash(read.url('RUNWRIGHT_SERVICE_URL', ['http:', 'https:'])),
  }
  if (settings.workerSlots === 0 && !settings.remoteWorkers)
    read.faults.push('RUNWRIGHT_WORKER_SLOTS=0 needs RUNWRIGHT_REMOTE_WORKERS: else nothing takes runs.')
  return settings
}

function readSandbox(read: Reader): SandboxConfig {
  const provider = read.word('RUNWRIGHT_SANDBOX', ['auto', 'bubblewrap', 'container', 'kubernetes'] as const) ?? 'auto'
  const engine = read.parsed(
    'RUNWRIGHT_SANDBOX_ENGINE',
    'the path of a socket, such as /run/podman/podman.sock',
    (text) => (path.isAbsolute(text.replace(/^unix:\/\//, '')) ? text.replace(/^unix:\/\//, '') : undefined),
  )
  const image = read.text('RUNWRIGHT_SANDBOX_IMAGE') ?? null
  const runtime = read.parsed('RUNWRIGHT_SANDBOX_RUNTIME', 'the name of a runtime, such as runc or runsc', (text) =>
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text) ? text : undefined,
  )
  if (isInImage({ provider }) && image === null)
    read.faults.push(`RUNWRIGHT_SANDBOX=${provider} needs RUNWRIGHT_SANDBOX_IMAGE, the image in which agents work.`)
  const isInCluster = read.text('KUBERNETES_SERVICE_HOST') !== undefined
  const poolSize = read.number('RUNWRIGHT_SANDBOX_POOL', { min: 0, max: 32, otherwise: 0 })
  return { provider, engine: engine ?? null, image, runtime: runtime ?? null, isInCluster, poolSize }
}

const isInImage = ({ provider }: Pick<SandboxConfig, 'provider'>) => ['container', 'kubernetes'].includes(provider)

function readSecretKeys(read: Reader): Pick<Config, 'secretKey' | 'previousSecretKey' | 'nextSecretKey'> {
  return {
    secretKey: secretOf(read.long('RUNWRIGHT_SECRET_KEY')),
    previousSecretKey: secretOf(read.long('RUNWRIGHT_SECRET_KEY_PREVIOUS')),
    nextSecretKey: secretOf(read.long('RUNWRIGHT_SECRET_KEY_NEXT')),
  }
}

function readSsh(read: Reader): Pick<Config, 'ssh' | 'sshUrl'> {
  const port = read.number('RUNWRIGHT_SSH_PORT', { min: 0, max: 65_535, otherwise: 0 })
  const host = read.text('RUNWRIGHT_SSH_HOST') ?? read.text('HOST') ?? '127.0.0.1'
  const expected = 'an address such as ssh://git@git.example.com:2222, without a path'
  const sshUrl = read.parsed('RUNWRIGHT_SSH_URL', expected, (text) => {
    const url = withoutSlash(text) ?? ''
    return /^ssh:\/\/git@(?:[A-Za-z0-9.-]{1,253}|\[[0-9a-fA-F:.]{2,45}\])(?::\d{1,5})?$/.test(url) ? url : undefined
  })
  return { ssh: port === 0 ? null : { host, port }, sshUrl: sshUrl ?? null }
}

/** One server, or several hosts of which one is the primary. */
function readDatabaseUrl(read: Reader): string | undefined {
  const isUrl = (text: string) => URL.canParse(text) && ['postgres:', 'postgresql:'].includes(new URL(text).protocol)
  const expected = 'an address that begins with postgres:// or postgresql://'
  return read.parsed('DATABASE_URL', expected, (value) => (splitHosts(value).every(isUrl) ? value : undefined))
}

/** Who is reached from here, and who reaches us. */
const readStored = (read: Reader): Pick<Config, 'storageBytes' | 'lfsBytes'> => ({
  storageBytes: {
    organization: readStorage(read, 'RUNWRIGHT_STORAGE_MIB', storageLimits.organizationMiB),
    repo: readStorage(read, 'RUNWRIGHT_STORAGE_REPO_MIB', storageLimits.repoMiB),
    run: readStorage(read, 'RUNWRIGHT_STORAGE_RUN_MIB', storageLimits.runMiB),
    log: readStorage(read, 'RUNWRIGHT_STORAGE_LOG_MIB', storageLimits.logMiB),
  },
  lfsBytes: mebibytes(read.number('RUNWRIGHT_LFS_MIB', { min: 0, max: 1_048_576, otherwise: lfsLimits.workTreeMiB })),
})

type Reach = Pick<Config, 'privateHosts' | 'caFile' | 'nameServers' | 'wrongTokensMax' | 'trustedProxies'>

function readReach(read: Reader): Reach {
  return {
    caFile: read.text('RUNWRIGHT_CA_FILE') ?? null,
    privateHosts: read.list('RUNWRIGHT_PRIVATE_HOSTS', {
      separator: ',',
      isValid: isHostName,
      expected: 'host names or addresses with "," between them',
    }),
    nameServers: read.list('RUNWRIGHT_NAME_SERVERS', {
      separator: ',',
      isValid: isNameServer,
      expected: 'addresses with "," between them, each as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53',
    }),
    wrongTokensMax: read.number('RUNWRIGHT_WRONG_TOKENS', { min: 0, max: 100_000, otherwise: 30 }),
    trustedProxies: read.list('RUNWRIGHT_TRUSTED_PROXIES', {
      separator: ',',
      isValid: isNetwork,
      expected: 'addresses or networks with "," between them, such as 127.0.0.1 or 10.0.0.0/8',
    }),
  }
}

function readBlobs(read: Reader, dataDir: string): BlobsConfig {
  const expected = 'the absolute path of a folder, or s3://bucket/prefix'
  const place = read.parsed('RUNWRIGHT_BLOBS', expected, (value) => {
    if (path.isAbsolute(value)) return { folder: value }
    const [, bucket, prefix = ''] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)((?:\/[A-Za-z0-9._-]+)*)\/?$/.exec(value) ?? []
    return bucket ? { bucket, prefix: prefix.slice(1) } : undefined
  })
  if (!place) return { kind: 'folder', folder: path.join(dataDir, 'blobs') }
  if ('folder' in place) return { kind: 'folder', folder: place.folder }
  const region = read.text('RUNWRIGHT_S3_REGION') ?? 'us-east-1'
  const endpoint = read.url('RUNWRIGHT_S3_ENDPOINT', ['http:', 'https:']) ?? `https://s3.${region}.amazonaws.com`
  const key = (name: string) => {
    const value = read.text(name)
    if (!value) read.faults.push(`${name} must be set, because RUNWRIGHT_BLOBS names a bucket.`)
    return new Secret(value ?? '')
  }
  return {
    kind: 's3',
    ...place,
    endpoint: trimTrailing(endpoint, '/'),
    region,
    accessKeyId: key('RUNWRIGHT_S3_ACCESS_KEY_ID'),
    secretAccessKey: key('RUNWRIGHT_S3_SECRET_ACCESS_KEY'),
  }
}

function readOpenId(read: Reader, publicUrl: string | null): OpenIdConfig | null {
  const issuer = read.parsed(
    'RUNWRIGHT_OIDC_ISSUER',
    'an address that begins with https://, or on this machine alone with http://',
    parseIssuer,
  )
  const [clientId, clientSecret] = [read.text('RUNWRIGHT_OIDC_CLIENT_ID'), read.text('RUNWRIGHT_OIDC_CLIENT_SECRET')]
  const emailDomains = read
    .list('RUNWRIGHT_OIDC_EMAIL_DOMAINS', {
      separator: ',',
      isValid: (item) => parseHostName(item) !== undefined,
      expected: 'domains with "," between them, such as example.com',
    })
    .map((domain) => domain.toLowerCase())
  const expected = 'the id of an organization'
  const organizationId = read.parsed('RUNWRIGHT_OIDC_ORGANIZATION', expected, parseId) ?? null
  if (!issuer) return null
  if (issuer.startsWith('http:') && publicUrl?.startsWith('https:'))
    read.faults.push(
      'RUNWRIGHT_OIDC_ISSUER must begin with https:// where RUNWRIGHT_PUBLIC_URL does: http:// is for development on this machine.',
    )
  if (!clientId || !clientSecret)
    read.faults.push('RUNWRIGHT_OIDC_ISSUER needs RUNWRIGHT_OIDC_CLIENT_ID and RUNWRIGHT_OIDC_CLIENT_SECRET.')
  if (organizationId !== null && !emailDomains.length)
    read.faults.push(
      'RUNWRIGHT_OIDC_ORGANIZATION lets new people in: it needs RUNWRIGHT_OIDC_EMAIL_DOMAINS, which says whom.',
    )
  return {
    issuer,
    clientId: clientId ?? '',
    clientSecret: new Secret(clientSecret ?? ''),
    emailDomains,
    organizationId,
  }
}

/** What a provider says of people must not be changed on its way. */
function parseIssuer(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, username, search, hash } = new URL(text)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isHere)
  return isSafe && !username && !search && !hash ? text : undefined
}

/** Standard names, as all who speak OpenTelemetry have them. */
function readTraces(read: Reader): TracesConfig | null {
  const endpoint = read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])
  return endpoint
    ? { endpoint: new Secret(endpoint), serviceName: read.text('OTEL_SERVICE_NAME') ?? 'runwright' }
    : null
}

const mebibytes = (count: number) => count * 2 ** 20
const readStorage = (read: Reader, name: string, otherwise: number) =>
  mebibytes(read.number(name, { min: 1, max: storageLimits.mostMiB, otherwise }))

const withoutSlash = (url: string | undefined) => (url === undefined ? null : trimTrailing(url, '/'))
