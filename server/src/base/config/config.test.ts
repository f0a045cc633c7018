import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { inspect } from 'node:util'
import { readConfig } from './config.ts'

const root = mkdtempSync(path.join(os.tmpdir(), 'runwright-config-'))
chmodSync(root, 0o755)
after(() => rmSync(root, { recursive: true }))

test('nothing needs to be set', () => {
  const config = readConfig({}, { root })
  assert.partialDeepStrictEqual(config, {
    port: 3900,
    host: '127.0.0.1',
    publicUrl: null,
    dataDir: path.join(root, '.data'),
    databaseUrl: null,
    adminToken: null,
    openId: null,
    unsafeSandbox: false,
    sandbox: { provider: 'auto', engine: null, image: null, runtime: null },
    scripted: false,
    importPaths: [],
    databaseConnections: 10,
    workerSlots: 2,
    workerLabels: [],
    gitDir: null,
    gitUrl: null,
    ssh: null,
    sshUrl: null,
    drainSeconds: 2,
    rateLimits: {
      creation: { limit: 10, windowSeconds: 60 },
      setup: { limit: 5, windowSeconds: 60 },
      analysis: { limit: 5, windowSeconds: 60 },
      logs: { limit: 60, windowSeconds: 60 },
      standard: { limit: 60, windowSeconds: 30 },
    },
    logLevel: 'info',
    metrics: null,
    traces: null,
    notes: [],
  })
  assert.deepEqual(config.model, {
    anthropic: undefined,
    openai: undefined,
    google: undefined,
    defaultModels: [],
    allowed: undefined,
    vision: undefined,
    stepsMax: 1_000,
    prices: [],
  })
})

test('settings are read from the environment', () => {
  const config = readConfig(
    {
      PORT: '0',
      HOST: '0.0.0.0',
      RUNWRIGHT_PUBLIC_URL: 'https://runs.example.com/',
      RUNWRIGHT_DATA_DIR: 'here',
      RUNWRIGHT_SCRIPTED: '1',
      RUNWRIGHT_UNSAFE_SANDBOX: 'false',
      RUNWRIGHT_IMPORT_PATHS: '/srv/git:/home/ada/code',
      RUNWRIGHT_PRIVATE_HOSTS: 'git.internal, 10.0.0.7',
      RUNWRIGHT_WORKER_SLOTS: '8',
      RUNWRIGHT_WORKER_LABELS: 'gpu, region:eu',
      RUNWRIGHT_GIT_URL: 'https://runs.example.com/',
      RUNWRIGHT_DRAIN_SECONDS: '20',
      RUNWRIGHT_LOG_LEVEL: 'debug',
    },
    { root },
  )
  assert.partialDeepStrictEqual(config, {
    port: 0,
    host: '0.0.0.0',
    publicUrl: 'https://runs.example.com',
    dataDir: path.join(root, 'here'),
    scripted: true,
    unsafeSandbox: false,
    importPaths: ['/srv/git', '/home/ada/code'],
    privateHosts: ['git.internal', '10.0.0.7'],
    workerSlots: 8,
    workerLabels: ['gpu', 'region:eu'],
    gitUrl: 'https://runs.example.com',
    drainSeconds: 20,
    logLevel: 'debug',
  })
})

test('an OpenAI address of one’s own speaks chat completions unless told otherwise', () => {
  const wireOf = (env: Record<string, string>) => readConfig(env, { root }).model.openai?.wire
  assert.equal(wireOf({ OPENAI_API_KEY: 'key' }), 'responses')
  assert.equal(wireOf({ OPENAI_BASE_URL: 'http://localhost:8080' }), 'chat')
  assert.equal(wireOf({ OPENAI_BASE_URL: 'http://localhost:8080', OPENAI_WIRE: 'responses' }), 'responses')
})

test('metrics are read on this machine alone unless an address is named', () => {
  const read = (RUNWRIGHT_METRICS: string) => readConfig({ RUNWRIGHT_METRICS }, { root }).metrics
  assert.equal(read(''), null)
  assert.deepEqual(read('9464'), { host: '127.0.0.1', port: 9464 })
  assert.deepEqual(read('10.0.0.5:0'), { host: '10.0.0.5', port: 0 })
  assert.deepEqual(read('[::1]:9464'), { host: '::1', port: 9464 })
  for (const wrong of ['on', '127.0.0.1', ':9464', '::1:9464', '9464/metrics', '65536', 'a b:9464'])
    assert.throws(() => read(wrong), /RUNWRIGHT_METRICS must be a port/, wrong)
})

test('spans are sent where OpenTelemetry’s own variable says', () => {
  const { traces } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }, { root })
  assert.equal(traces?.endpoint.reveal(), 'http://127.0.0.1:4318')
  assert.equal(traces?.serviceName, 'runwright')
})

test('a rate limit is set in requests and seconds, or taken away', () => {
  const read = (RUNWRIGHT_RATE_LIMITS: string) => readConfig({ RUNWRIGHT_RATE_LIMITS }, { root }).rateLimits
  const { standard, creation, logs } = read(' standard=600/30 , creation=0')
  assert.deepEqual(standard, { limit: 600, windowSeconds: 30 })
  assert.equal(creation, null)
  assert.deepEqual(logs, { limit: 60, windowSeconds: 60 })
  for (const wrong of [
    'standard',
    'standard=',
    'standard=60',
    'standard=60/0',
    'standard=-1/30',
    'standard=1.5/30',
    'standard=60/30/2',
    'standard=60/30,',
    'standard=60/30,standard=0',
    'everything=60/30',
    'toString=60/30',
    'standard=99999999999999999999/30',
    'standard=60/99999999',
  ])
    assert.throws(() => read(wrong), /RUNWRIGHT_RATE_LIMITS must be limits such as/, wrong)
})

test('SSH is served where a port is named, at an address of its own or that of HTTP', () => {
  const read = (env: Record<string, string>) => readConfig(env, { root })
  assert.deepEqual(read({ RUNWRIGHT_SSH_PORT: '2222', HOST: '::' }).ssh, { host: '::', port: 2222 })
  const own = read({
    RUNWRIGHT_SSH_PORT: '22',
    RUNWRIGHT_SSH_HOST: '10.0.0.1',
    RUNWRIGHT_SSH_URL: 'ssh://git@a.example/',
  })
  assert.deepEqual([own.ssh, own.sshUrl], [{ host: '10.0.0.1', port: 22 }, 'ssh://git@a.example'])
  for (const wrong of [
    'git.example.com',
    'ssh://git.example.com',
    'ssh://git@a/b',
    'ssh://git@-oProxy=x y',
    'https://a',
  ])
    assert.throws(() => read({ RUNWRIGHT_SSH_URL: wrong }), /RUNWRIGHT_SSH_URL must be an address such as ssh:/, wrong)
})

test('agents work in containers or Pods where an image is named and bubblewrap does not work, or always', () => {
  const read = (more: Record<string, string>) => readConfig(more, { root }).sandbox
  const chosen = {
    RUNWRIGHT_SANDBOX: 'container',
    RUNWRIGHT_SANDBOX_ENGINE: 'unix:///run/podman/podman.sock',
    RUNWRIGHT_SANDBOX_IMAGE: 'registry.example.com/work:1',
    RUNWRIGHT_SANDBOX_RUNTIME: 'runsc',
  }
  assert.deepEqual(read(chosen), {
    provider: 'container',
    engine: '/run/podman/podman.sock',
    image: 'registry.example.com/work:1',
    runtime: 'runsc',
    isInCluster: false,
    poolSize: 0,
  })
  assert.ok(read({ KUBERNETES_SERVICE_HOST: '10.0.0.1' }).isInCluster)
  assert.equal(read({ RUNWRIGHT_SANDBOX_POOL: '3' }).poolSize, 3)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX: 'kubernetes' }), /SANDBOX=kubernetes needs RUNWRIGHT_SANDBOX_IMAGE/)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX: 'container' }), /needs RUNWRIGHT_SANDBOX_IMAGE/)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX: 'docker' }), /must be one of auto, bubblewrap, container, kubernetes/)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX_ENGINE: 'tcp://10.0.0.1:2375' }), /must be the path of a socket/)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX_POOL: '33' }), /RUNWRIGHT_SANDBOX_POOL must be/)
  assert.throws(() => read({ RUNWRIGHT_SANDBOX_RUNTIME: '--rm' }), /must be the name of a runtime/)
  assert.throws(() => read({ ...chosen, RUNWRIGHT_SANDBOX_DISK: 'kernel' }), /needs RUNWRIGHT_SANDBOX=bubblewrap/)
})

test('every wrong variable is named in one error, with what it may be and without its value', () => {
  const wrong = {
    PORT: 'eighty',
    DATABASE_URL: 'mysql://secret-one',
    RUNWRIGHT_ADMIN_TOKEN: 'secret-two',
    RUNWRIGHT_SECRET_KEY: 'secret-three',
    RUNWRIGHT_SCRIPTED: 'perhaps',
    RUNWRIGHT_IMPORT_PATHS: 'relative',
    RUNWRIGHT_WORKER_SLOTS: '-1',
    RUNWRIGHT_RATE_LIMITS: 'standard=sixty',
    RUNWRIGHT_LOG_LEVEL: 'loud',
    RUNWRIGHT_METRICS: 'everywhere',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'grpc://secret-four',
    OPENAI_WIRE: 'telegraph',
    ANTHROPIC_BASE_URL: 'nowhere',
  }
  assert.throws(
    () => readConfig(wrong, { root }),
    (error: Error) => {
      for (const [name, value] of Object.entries(wrong)) {
        assert.match(error.message, new RegExp(`^  ${name} must be `, 'm'))
        assert.ok(!error.message.includes(`"${value}"`) && !error.message.includes('secret-'))
      }
      return true
    },
  )
})

test('printing the settings shows no secret', () => {
  const secrets = {
    RUNWRIGHT_ADMIN_TOKEN: 'a'.repeat(32),
    RUNWRIGHT_SECRET_KEY: 'b'.repeat(40),
    DATABASE_URL: 'postgres://u:c@h/d',
    ANTHROPIC_API_KEY: 'sk-d',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://ada:e@collector',
  }
  const config = readConfig(secrets, { root })
  const prints = [JSON.stringify(config), inspect(config, { depth: 9, showHidden: true }), `${config.adminToken}`]
  for (const print of prints) for (const secret of Object.values(secrets)) assert.ok(!print.includes(secret))
  assert.equal(config.adminToken?.reveal(), 'a'.repeat(32))
})

test('as root, data is not kept below a folder that others cannot enter', () => {
  const home = path.join(root, 'private')
  const checkout = path.join(home, 'checkout')
  mkdirSync(checkout, { recursive: true })
  chmodSync(home, 0o700)
  const config = readConfig({}, { root: checkout, isRoot: true })
  assert.equal(config.dataDir, '/var/lib/runwright')
  assert.match(config.notes.join(), /private.*RUNWRIGHT_DATA_DIR/)
  assert.equal(readConfig({}, { root: checkout, isRoot: false }).dataDir, path.join(checkout, '.data'))
})

test('big bytes lie in the data folder, in a folder that is named, or in a bucket', () => {
  const blobsOf = (env: Record<string, string>) => readConfig({ RUNWRIGHT_DATA_DIR: '/data', ...env }, { root }).blobs
  assert.deepEqual(blobsOf({}), { kind: 'folder', folder: '/data/blobs' })
  assert.deepEqual(blobsOf({ RUNWRIGHT_BLOBS: '/shared/blobs' }), { kind: 'folder', folder: '/shared/blobs' })
  const keys = { RUNWRIGHT_S3_ACCESS_KEY_ID: 'the-key', RUNWRIGHT_S3_SECRET_ACCESS_KEY: 'the-secret' }
  const bucket = blobsOf({ RUNWRIGHT_BLOBS: 's3://bytes/of/runwright/', RUNWRIGHT_S3_REGION: 'eu-central-1', ...keys })
  assert.partialDeepStrictEqual(bucket, {
    kind: 's3',
    bucket: 'bytes',
    prefix: 'of/runwright',
    region: 'eu-central-1',
    endpoint: 'https://s3.eu-central-1.amazonaws.com',
  })
  assert.doesNotMatch(inspect(bucket) + JSON.stringify(bucket), /the-key|the-secret/)
  const own = { RUNWRIGHT_S3_ENDPOINT: 'http://store:9000/' }
  assert.partialDeepStrictEqual(blobsOf({ RUNWRIGHT_BLOBS: 's3://bytes', ...own, ...keys }), {
    endpoint: 'http://store:9000',
    prefix: '',
  })
  assert.throws(() => blobsOf({ RUNWRIGHT_BLOBS: 's3://bytes' }), /RUNWRIGHT_S3_ACCESS_KEY_ID must be set/)
  assert.throws(() => blobsOf({ RUNWRIGHT_BLOBS: 'blobs' }), /RUNWRIGHT_BLOBS must be the absolute path/)
})

test('a point to end at is for tests alone, and must be one that there is', () => {
  const read = (env: Record<string, string>) => readConfig(env, { root }).crashAt
  assert.equal(read({}), null)
  const scripted = { RUNWRIGHT_SCRIPTED: '1' }
  assert.deepEqual(read({ ...scripted, RUNWRIGHT_CRASH_AT: 'tool.done' }), { point: 'tool.done', nth: 1 })
  assert.deepEqual(read({ ...scripted, RUNWRIGHT_CRASH_AT: 'tool.done:12' }), { point: 'tool.done', nth: 12 })
  assert.throws(() => read({ RUNWRIGHT_CRASH_AT: 'tool.done' }), /RUNWRIGHT_SCRIPTED=1/)
  for (const wrong of ['tool', 'tool.done:0', 'tool.done:', 'tool.done:1x'])
    assert.throws(() => read({ ...scripted, RUNWRIGHT_CRASH_AT: wrong }), /must be a crash point/)
})

test('which models runs may use is a list of names; without it all', () => {
  const read = (models?: string) => readConfig(models ? { RUNWRIGHT_MODELS: models } : {}, { root }).model.allowed
  assert.equal(read(), undefined)
  assert.deepEqual(read('anthropic/claude-opus-5, openai/*'), ['anthropic/claude-opus-5', 'openai/*'])
  assert.throws(() => read('claude-opus-5'), /RUNWRIGHT_MODELS must be models/)
  const { vision } = readConfig({ RUNWRIGHT_VISION_MODELS: 'openai/local*' }, { root }).model
  assert.deepEqual(vision, ['openai/local*'])
  assert.equal(readConfig({}, { root }).model.stepsMax, 1_000)
  assert.equal(readConfig({ RUNWRIGHT_MODEL_CALLS: '50' }, { root }).model.stepsMax, 50)
})

const openId = {
  RUNWRIGHT_OIDC_ISSUER: 'https://accounts.example.com/realm',
  RUNWRIGHT_OIDC_CLIENT_ID: 'runwright',
  RUNWRIGHT_OIDC_CLIENT_SECRET: 'hunter2',
}

test('a provider of OpenID Connect lets in whom the operator names, and its secret is not printed', () => {
  const config = readConfig(openId, { root })
  assert.partialDeepStrictEqual(config.openId, {
    issuer: 'https://accounts.example.com/realm',
    clientId: 'runwright',
    emailDomains: [],
    organizationId: null,
  })
  assert.equal(config.openId?.clientSecret.reveal(), 'hunter2')
  assert.doesNotMatch(inspect(config, { depth: 9 }), /hunter2/)
  const env = { ...openId, RUNWRIGHT_OIDC_EMAIL_DOMAINS: 'Example.com, example.org', RUNWRIGHT_OIDC_ORGANIZATION: '7' }
  assert.partialDeepStrictEqual(readConfig(env, { root }).openId, {
    emailDomains: ['example.com', 'example.org'],
    organizationId: 7,
  })
  const local = { ...openId, RUNWRIGHT_OIDC_ISSUER: 'http://127.0.0.1:9000' }
  assert.equal(readConfig(local, { root }).openId?.issuer, 'http://127.0.0.1:9000')
})

test('a provider over an open line is for development: where people come over https, it is refused', () => {
  const env = {
    ...openId,
    RUNWRIGHT_OIDC_ISSUER: 'http://localhost:9000',
    RUNWRIGHT_PUBLIC_URL: 'https://runs.example',
  }
  assert.throws(() => readConfig(env, { root }), /RUNWRIGHT_OIDC_ISSUER must begin with https:\/\/ where/)
  const here = { ...env, RUNWRIGHT_PUBLIC_URL: 'http://localhost:3900' }
  assert.equal(readConfig(here, { root }).openId?.issuer, 'http://localhost:9000')
})

test('a provider without its client, over an open line, or for all the world is refused', () => {
  const { RUNWRIGHT_OIDC_CLIENT_SECRET: _, ...secretless } = openId
  assert.throws(
    () => readConfig(secretless, { root }),
    /needs RUNWRIGHT_OIDC_CLIENT_ID and RUNWRIGHT_OIDC_CLIENT_SECRET/,
  )
  for (const issuer of [
    'http://accounts.example.com',
    'https://a:b@example.com',
    'https://example.com/?a=b',
    'example.com',
  ])
    assert.throws(
      () => readConfig({ ...openId, RUNWRIGHT_OIDC_ISSUER: issuer }, { root }),
      /RUNWRIGHT_OIDC_ISSUER must be an address that begins with https/,
      issuer,
    )
  assert.throws(
    () => readConfig({ ...openId, RUNWRIGHT_OIDC_ORGANIZATION: '1' }, { root }),
    /needs RUNWRIGHT_OIDC_EMAIL_DOMAINS/,
  )
})

test('prices of models may be named, and must be numbers', () => {
  const read = (prices: string) => readConfig({ RUNWRIGHT_MODEL_PRICES: prices }, { root: '/tmp' }).model.prices
  assert.deepEqual(read('openai/qwen3=0.2/0.8,openai/*=0/0'), [
    { model: 'openai/qwen3', inputUsd: 0.2, outputUsd: 0.8 },
    { model: 'openai/*', inputUsd: 0, outputUsd: 0 },
  ])
  for (const wrong of ['qwen3=1/2', 'openai/x', 'openai/x=1', 'openai/x=-1/2', 'openai/x=1e9/2', 'openai/x=a/b']) {
    assert.throws(() => read(wrong), /RUNWRIGHT_MODEL_PRICES/, wrong)
  }
})

test('what a work tree gets of large files is a number of MiB, and may be nothing', () => {
  const read = (mib?: string) =>
    readConfig({ ...(mib !== undefined && { RUNWRIGHT_LFS_MIB: mib }) }, { root: '/tmp' }).lfsBytes
  assert.deepEqual([read(), read('0'), read('5')], [2 ** 30, 0, 5 * 2 ** 20])
  for (const wrong of ['-1', '1.5', 'much']) assert.throws(() => read(wrong), /RUNWRIGHT_LFS_MIB/, wrong)
})
