/**
 * The Helm chart, rendered by what Helm is made of (deploy/chart/render) and held to what Kubernetes publishes of its objects
 * (deploy/chart/published): by the compiler, which refuses fields that there are not, and by the schemas, which know forms and limits.
 */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../server/src/base/config/config.ts'
import { watchNames } from '../../server/src/base/config/find-misspelled.ts'
import { limits } from '../../server/src/base/limits.ts'
import { metricTable } from '../../server/src/base/telemetry/metric-table.ts'
import { sandboxPolicy } from '../../server/src/adapters/sandboxes/kubernetes/pod-of.ts'
import { samplePod } from '../../server/test/sample-pod.ts'

const run = promisify(execFile)
const root = path.resolve(import.meta.dirname, '../..')
const chart = path.join(root, 'deploy/chart/runwright')
const published = path.join(root, 'deploy/chart/published')
const folder = mkdtempSync(path.join(os.tmpdir(), 'chart-'))
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const libraries = ['github.com/Masterminds/sprig', 'sigs.k8s.io/yaml']
const isMissing = (name: string) => !existsSync(path.join('/usr/share/gocode/src', name))
const skip = existsSync('/usr/bin/go')
  ? libraries.some(isMissing) && 'golang-github-masterminds-sprig-dev or golang-k8s-sigs-yaml-dev is not installed'
  : 'golang-go is not installed'

type Pod = {
  serviceAccountName: string
  automountServiceAccountToken: boolean
  enableServiceLinks: boolean
  hostUsers?: boolean
  runtimeClassName?: string
  terminationGracePeriodSeconds?: number
  securityContext: Record<string, unknown>
  containers: {
    env: { name: string; value?: string }[]
    envFrom: { secretRef: { name: string } }[]
    ports?: { name: string; containerPort: number }[]
    securityContext: Record<string, unknown>
    volumeMounts: { name: string; mountPath: string }[]
    [probe: `${string}Probe`]: { httpGet: { path: string; port: string } } | undefined
  }[]
  volumes: { name: string; persistentVolumeClaim?: { claimName: string } }[]
}
type Labels = Record<string, string>
type Document = {
  apiVersion: string
  kind: string
  metadata: { name: string; labels: Labels; annotations?: Record<string, string> }
  stringData?: Record<string, string>
  spec: {
    template: { metadata: { labels: Labels }; spec: Pod }
    selector: Labels & { matchLabels: Labels }
    podSelector: { matchLabels: Labels }
    ports?: { name: string; targetPort?: string }[]
    ingress?: { ports?: { port: string | number }[] }[]
    volumeClaimTemplates?: { metadata: { name: string } }[]
    scaleTargetRef: { kind: string; name: string }
    [key: string]: unknown
  }
}

const key = '0123456789abcdef'.repeat(4)
const base = {
  publicUrl: 'https://runs.example.com',
  database: { url: 'postgres://runwright:password@postgres:5432/runwright' },
  secret: { key },
}
const s3 = { url: 's3://runs/prod', s3Endpoint: 'https://s3.example.com', s3Region: 'eu-central-1' }
const placed = {
  annotations: { 'example.com/a': 'b' },
  nodeSelector: { disk: 'fast' },
  tolerations: [{ key: 'runs', operator: 'Exists' }],
  affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [] } },
}
const sets: Record<string, object> = {
  'what has to be set': base,
  everything: {
    ...base,
    imagePullSecrets: [{ name: 'registry' }],
    secret: { key, adminToken: key, extra: { ANTHROPIC_API_KEY: 'x' } },
    settings: { RUNWRIGHT_LOG_LEVEL: 'debug', RUNWRIGHT_STORAGE_MIB: '2000000' },
    api: {
      ...placed,
      autoscaling: { enabled: true },
      trustedProxies: '10.0.0.0/8',
      settings: { RUNWRIGHT_WRONG_TOKENS: '60' },
    },
    worker: {
      ...placed,
      autoscaling: { enabled: true },
      labels: ['gpu', 'linux'],
      settings: { RUNWRIGHT_LFS_MIB: '1' },
    },
    git: { persistence: { storageClass: 'shared' } },
    ingress: { enabled: true, host: 'runs.example.com', className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
    serviceAccount: { annotations: { a: 'b' } },
    networkPolicy: {
      ingressFrom: [{ namespaceSelector: {} }],
      database: { to: [{ ipBlock: { cidr: '10.1.0.0/16' } }] },
      extraEgress: [{ to: [{ ipBlock: { cidr: '10.2.0.0/16' } }] }],
    },
    metrics: {
      enabled: true,
      serviceMonitor: { enabled: true, labels: { a: 'b' } },
      prometheusRule: { enabled: true },
    },
  },
  'what exists already': {
    publicUrl: base.publicUrl,
    secret: { existingSecret: 'own' },
    blobs: s3,
    git: { persistence: { existingClaim: 'own-git' } },
    serviceAccount: { create: false, name: 'own' },
    worker: { autoscaling: { enabled: true, kind: 'metrics' }, persistence: { enabled: false } },
    metrics: { enabled: true },
    networkPolicy: { enabled: false },
  },
  'one API pod': { ...base, api: { replicas: 1 }, git: { persistence: { accessModes: ['ReadWriteOnce'] } } },
  'sandboxes in containers': {
    ...base,
    worker: { sandbox: 'container', container: { image: 'work', socketGroup: 0, runtime: 'runsc' } },
  },
  'sandboxes in pods': {
    ...base,
    worker: { sandbox: 'kubernetes', kubernetes: { image: 'work', runtimeClassName: 'gvisor' } },
    networkPolicy: { kubernetes: { to: [{ ipBlock: { cidr: '10.3.0.1/32' } }], ports: [6443] } },
  },
  'pods in gVisor': { ...base, worker: { runtimeClassName: 'gvisor' } },
  'remote workers alone': {
    ...base,
    worker: { slots: 0, remote: { enabled: true, port: 4000 } },
    ingress: { enabled: true, host: 'runs.example.com' },
    networkPolicy: { ingressFrom: [{ namespaceSelector: {} }] },
  },
}
/** What is no object of the chart and was named by its values. */
const own = ['own', 'own-git']

const program = path.join(folder, 'render')
if (!skip) {
  const env = {
    PATH: process.env.PATH,
    GO111MODULE: 'off',
    GOPATH: '/usr/share/gocode',
    GOCACHE: path.join(folder, 'cache'),
  }
  execFileSync('go', ['build', '-o', program, path.join(root, 'deploy/chart/render/main.go')], { env })
}

const rendered = new Map<string, Document[]>()
async function render(values: object): Promise<Document[]> {
  const words = JSON.stringify(values)
  const known = rendered.get(words)
  if (known) return known
  const file = path.join(mkdtempSync(path.join(folder, 'values-')), 'values.json')
  writeFileSync(file, words)
  const { stdout } = await run(program, [chart, 'prod', 'runs', file], { maxBuffer: 1024 ** 3 })
  // As Kubernetes reads YAML.
  const documents = parseAllDocuments(stdout, { version: '1.1', merge: true })
    .map((each) => each.toJS() as Document | null)
    .filter((each) => each !== null)
  rendered.set(words, documents)
  return documents
}

/** What the published types have against these documents: a line each. */
async function compile(documents: Document[]): Promise<string[]> {
  const place = mkdtempSync(path.join(folder, 'types-'))
  symlinkSync(path.join(published, 'node_modules'), path.join(place, 'node_modules'))
  const lines = documents.map((document, index) => {
    const type = `import('${moduleOf(document)}').I${document.kind}`
    return `export const ${document.kind}${index}: ${type} = ${JSON.stringify(document, null, 1)}`
  })
  writeFileSync(path.join(place, 'documents.ts'), lines.join('\n'))
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc')
  const options =
    '--noEmit --strict --skipLibCheck --ignoreConfig --target es2022 --module esnext --moduleResolution bundler'
  const words = [compiler, ...options.split(' '), '--types', '', 'documents.ts']
  return run(process.execPath, words, { cwd: place }).then(
    () => [],
    ({ stdout }: { stdout: string }) => stdout.trim().split('\n'),
  )
}

function moduleOf({ apiVersion, kind }: Document): string {
  const packages: Record<string, string> = {
    'keda.sh/v1alpha1': '@kubernetes-models/keda/',
    'monitoring.coreos.com/v1': '@kubernetes-models/prometheus-operator/',
  }
  return `${packages[apiVersion] ?? 'kubernetes-models/'}${apiVersion}/${kind}`
}

/** Throws what the published schema has against it. */
async function validate(document: Document): Promise<void> {
  const file = path.join(published, 'node_modules', `${moduleOf(document)}.js`)
  const module = (await import(pathToFileURL(file).href)) as Record<
    string,
    new (data: Document) => { validate(): void }
  >
  new module[document.kind]!(document).validate()
}

const workloads = (documents: Document[]) => documents.filter(({ spec }) => spec?.template)
const isIn = (labels: Labels, all: Labels) => Object.entries(labels).every(([name, value]) => all[name] === value)
/** The workloads whose pods have these labels. */
const chosen = (documents: Document[], labels: Labels) =>
  workloads(documents).filter(({ spec }) => isIn(labels, spec.template.metadata.labels))
const portsOf = (documents: Document[]) =>
  documents.flatMap(({ spec }) =>
    spec.template.spec.containers.flatMap(({ ports = [] }) => ports.map(({ name }) => name)),
  )

for (const [name, values] of Object.entries(sets)) {
  test(
    `with ${name}, every document is as Kubernetes publishes it, without a field that there is not`,
    { skip },
    async () => {
      const documents = await render(values)
      assert.ok(documents.length >= 8)
      for (const document of documents) await validate(document)
      assert.deepEqual(await compile(documents), [])
      const names = documents.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
      assert.equal(new Set(names).size, names.length)
    },
  )

  test(`with ${name}, what names something names what is there`, { skip }, async () => {
    const documents = await render(values)
    const isThere = (kind: string, name: string) =>
      own.includes(name) || documents.some((each) => each.kind === kind && each.metadata.name === name)
    for (const { kind, metadata, spec } of documents) {
      if (spec?.selector?.matchLabels && spec.template)
        assert.ok(isIn(spec.selector.matchLabels, spec.template.metadata.labels), metadata.name)
      const labels = spec?.podSelector?.matchLabels ?? (kind === 'Service' ? spec.selector : undefined)
      const budget = kind === 'PodDisruptionBudget' ? spec.selector.matchLabels : undefined
      if (labels ?? budget) assert.equal(chosen(documents, labels ?? budget).length, 1, `${kind} ${metadata.name}`)
      const ports = [
        ...(kind === 'Service' ? (spec.ports ?? []).map(({ targetPort }) => targetPort) : []),
        ...(spec?.podSelector ? (spec.ingress ?? []).flatMap(({ ports = [] }) => ports.map(({ port }) => port)) : []),
      ]
      for (const port of ports) assert.ok(portsOf(chosen(documents, labels)).includes(String(port)), `${kind} ${port}`)
      if (kind === 'ServiceMonitor')
        assert.equal(
          documents.filter((each) => each.kind === 'Service' && isIn(spec.selector.matchLabels, each.metadata.labels))
            .length,
          1,
        )
      if (spec?.scaleTargetRef) assert.ok(isThere(spec.scaleTargetRef.kind, spec.scaleTargetRef.name), metadata.name)
    }
    for (const { metadata, spec } of workloads(documents)) {
      const pod = spec.template.spec
      const claimed = (spec.volumeClaimTemplates ?? []).map((claim) => claim.metadata.name)
      const volumes = [...pod.volumes.map((volume) => volume.name), ...claimed].sort()
      const [container] = pod.containers
      assert.deepEqual(container!.volumeMounts.map((mount) => mount.name).sort(), volumes, metadata.name)
      assert.ok(isThere('ServiceAccount', pod.serviceAccountName))
      assert.ok(isThere('Secret', container!.envFrom[0]!.secretRef.name))
      for (const { persistentVolumeClaim: claim } of pod.volumes)
        if (claim) assert.ok(isThere('PersistentVolumeClaim', claim.claimName), claim.claimName)
      const probes = Object.entries(container!).filter(([field]) => field.endsWith('Probe'))
      for (const [, probe] of probes as [string, { httpGet: { path: string; port: string } }][]) {
        assert.ok(
          (container!.ports ?? []).some((port) => port.name === probe.httpGet.port),
          metadata.name,
        )
        assert.ok(routes.has(probe.httpGet.path), probe.httpGet.path)
      }
    }
  })

  test(`with ${name}, processes have settings that there are, the image's user and time to end`, { skip }, async () => {
    const documents = await render(values)
    const secret = documents.find(({ kind }) => kind === 'Secret')?.stringData ?? secretOfOthers
    const user = Number(/^USER (\d+)/m.exec(read('deploy/image/Containerfile'))?.[1])
    for (const { kind, spec } of workloads(documents)) {
      const pod = spec.template.spec
      const [container] = pod.containers
      assert.partialDeepStrictEqual(pod.securityContext, { runAsNonRoot: true, runAsUser: user, fsGroup: user })
      const asksKubernetes = kind === 'StatefulSet' && name === 'sandboxes in pods'
      assert.deepEqual([pod.automountServiceAccountToken, pod.enableServiceLinks], [asksKubernetes, false])
      assert.partialDeepStrictEqual(container!.securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const { config, unknown } = configOf({ ...secret, ...settingsOf(container!.env) })
      assert.deepEqual(unknown, [])
      const endsMs = config.drainSeconds * 1_000 + limits.drainMs
      if (kind !== 'Job') assert.ok(pod.terminationGracePeriodSeconds! * 1_000 > endsMs)
      // Nothing may be written but there.
      const writable = container!.volumeMounts.map(({ mountPath }) => mountPath)
      const folders = [config.dataDir, ...(config.gitDir ? [config.gitDir] : []), '/tmp']
      for (const place of folders)
        assert.ok(
          writable.some((mount) => `${place}/`.startsWith(`${mount}/`)),
          `${kind}: ${place} of ${writable.join()}`,
        )
    }
  })
}

const routes = new Set(['/metrics', ...Object.keys((JSON.parse(read('openapi.json')) as { paths: object }).paths)])
const secretOfOthers = {
  DATABASE_URL: base.database.url,
  RUNWRIGHT_SECRET_KEY: key,
  RUNWRIGHT_S3_ACCESS_KEY_ID: 'a',
  RUNWRIGHT_S3_SECRET_ACCESS_KEY: 'b',
}

/** As Kubernetes makes it: what is named before is put in. */
function settingsOf(env: { name: string; value?: string }[]): Record<string, string> {
  const made: Record<string, string> = {}
  for (const { name, value = 'prod-worker-0' } of env)
    made[name] = value.replaceAll(/\$\((\w+)\)/g, (whole, other: string) => made[other] ?? whole)
  return made
}

/** Throws where a value is wrong. */
function configOf(settings: Record<string, string>) {
  const { env, asked } = watchNames({ RUNWRIGHT_DATA_DIR: '/var/lib/runwright', ...settings })
  const config = readConfig(env, { root, isRoot: false })
  return { config, unknown: Object.keys(settings).filter((name) => name.startsWith('RUNWRIGHT_') && !asked.has(name)) }
}

test('a field or a setting that is misspelled is found', { skip }, async () => {
  const documents = structuredClone(await render(base))
  const api = workloads(documents).find(({ kind }) => kind === 'Deployment')!
  const { terminationGracePeriodSeconds: seconds, ...pod } = api.spec.template.spec
  api.spec.template.spec = { ...pod, terminationGracePeriodSecond: seconds } as Pod
  assert.match((await compile(documents)).join('\n'), /"terminationGracePeriodSecond"' does not exist in type/)
  const settings = { RUNWRIGHT_DRAIN_SECOND: '10', RUNWRIGHT_LOG_LEVEL: 'info' }
  assert.deepEqual(configOf(settings).unknown, ['RUNWRIGHT_DRAIN_SECOND'])
  await assert.rejects(validate({ ...api, spec: { ...api.spec, replicas: 'two' } }), /replicas must be/)
})

test('sandboxes by bubblewrap get what they need, and other pods do not', { skip }, async () => {
  const worker = async (values: object) =>
    workloads(await render(values)).find(({ kind }) => kind === 'StatefulSet')!.spec.template.spec
  const open = { hostUsers: false, securityContext: { seccompProfile: { type: 'Unconfined' } } }
  const plain = await worker(base)
  assert.partialDeepStrictEqual(plain, open)
  assert.equal(plain.containers[0]!.securityContext.procMount, 'Unmasked')
  for (const name of ['sandboxes in containers', 'sandboxes in pods', 'pods in gVisor', 'remote workers alone']) {
    const pod = await worker(sets[name]!)
    assert.equal(pod.hostUsers, undefined)
    assert.deepEqual(pod.securityContext.seccompProfile, { type: 'RuntimeDefault' })
    assert.equal(pod.containers[0]!.securityContext.procMount, undefined)
  }
  const [api] = workloads(await render(base)).filter(({ kind }) => kind === 'Deployment')
  assert.deepEqual(api!.spec.template.spec.securityContext.seccompProfile, { type: 'RuntimeDefault' })
})

test('workers whose sandboxes are pods may make those of agent-sandbox, unless they are not to', { skip }, async () => {
  const mayMake = async (agentSandbox: boolean) => {
    const documents = await render({
      ...base,
      worker: { sandbox: 'kubernetes', kubernetes: { image: 'work', agentSandbox } },
    })
    const role = documents.find(({ kind }) => kind === 'Role') as unknown as { rules: { apiGroups: string[] }[] }
    return role.rules.some(({ apiGroups }) => apiGroups.includes('agents.x-k8s.io'))
  }
  assert.deepEqual([await mayMake(true), await mayMake(false)], [true, false])
})

test('the pod of a sandbox and its policy are as Kubernetes publishes them', { skip }, async () => {
  const documents = [
    samplePod(),
    samplePod({ runtime: 'gvisor', isReadOnly: true }),
    sandboxPolicy,
  ] as unknown as Document[]
  for (const document of documents) await validate(document)
  assert.deepEqual(await compile(documents), [])
})

test(
  'workers with other labels are scaled by an object as KEDA publishes it, by metrics that there are',
  { skip },
  async () => {
    const document = parse(read('deploy/keda/gpu-workers.yaml')) as Document
    await validate(document)
    assert.deepEqual(await compile([document]), [])
    const scaled = (await render(sets['everything']!)).find(({ kind }) => kind === 'ScaledObject')!
    const names = new Set<string>(Object.values(metricTable).map(({ name }) => name))
    for (const { spec } of [document, scaled]) {
      const [trigger] = spec['triggers'] as { metadata: { query: string } }[]
      const named = trigger!.metadata.query.match(/runwright_\w+/g) ?? []
      assert.equal(named.length, 2)
      for (const name of named) assert.ok(names.has(name), name)
    }
    const [trigger] = scaled.spec['triggers'] as { metadata: { query: string } }[]
    const pattern = new RegExp(`^(?:${/labels=~`(.*?)`}/.exec(trigger!.metadata.query)![1]})$`)
    const sought = ['', 'gpu', 'linux', 'gpu,linux', 'gpu,windows', 'windows'].filter((labels) => pattern.test(labels))
    assert.deepEqual(sought, ['', 'gpu', 'linux', 'gpu,linux'])
  },
)

test('remote workers connect through the ingress to the port at which workers take them', { skip }, async () => {
  const documents = await render(sets['remote workers alone']!)
  type Path = { path: string; backend: { service: { name: string; port: { name: string } } } }
  const ingress = documents.find(({ kind }) => kind === 'Ingress')!
  const [rule] = ingress.spec['rules'] as { http: { paths: Path[] } }[]
  const { service } = rule!.http.paths.find((one) => one.path === '/v1/remote-workers')!.backend
  const { spec } = documents.find(({ kind, metadata }) => kind === 'Service' && metadata.name === service.name)!
  const { targetPort } = spec.ports!.find(({ name }) => name === service.port.name)!
  const [worker] = chosen(documents, spec.selector)
  const [container] = worker!.spec.template.spec.containers
  const { containerPort } = container!.ports!.find(({ name }) => name === targetPort)!
  const { config } = configOf({ ...secretOfOthers, ...settingsOf(container!.env) })
  assert.deepEqual(config.remoteWorkers, { host: '0.0.0.0', port: containerPort })
  const plain = await render({ ...base, ingress: { enabled: true, host: 'runs.example.com' } })
  assert.doesNotMatch(JSON.stringify(plain), /remote/)
})

test(
  'remote workers of another cluster are as Kubernetes publishes them, and hold no more than they need',
  { skip },
  async () => {
    const documents = parseAllDocuments(read('deploy/kubernetes/remote-worker.yaml'), { version: '1.1' }).map(
      (each) => each.toJS() as Document,
    )
    for (const document of documents) await validate(document)
    assert.deepEqual(await compile(documents), [])
    const [worker] = workloads(documents)
    const { containers, automountServiceAccountToken } = worker!.spec.template.spec
    assert.equal(automountServiceAccountToken, false)
    const { env, securityContext } = containers[0]!
    assert.deepEqual(env.map(({ name }) => name).sort(), [
      'RUNWRIGHT_SERVICE_URL',
      'RUNWRIGHT_WORKER_SLOTS',
      'RUNWRIGHT_WORKER_TOKEN',
    ])
    const token = { RUNWRIGHT_WORKER_TOKEN: 'x'.repeat(40) }
    assert.deepEqual(configOf({ ...settingsOf(env), ...token }).unknown, [])
    assert.partialDeepStrictEqual(securityContext, { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })
    for (const { kind, spec } of documents)
      if (kind === 'NetworkPolicy') assert.equal(chosen(documents, spec.podSelector.matchLabels).length, 1)
  },
)

test('what is missing is said in a sentence', { skip }, async () => {
  const { secret: _, ...keyless } = base
  for (const [values, sentence] of [
    [{}, /Set publicUrl to the address/],
    [
      { ...base, database: {}, publicUrl: 'https://a.example', secret: { key: 'short' } },
      /32 characters or more|Set database\.url/,
    ],
    [keyless, /Set secret\.key to what `openssl rand -hex 32` prints/],
    [
      { ...base, git: { persistence: { accessModes: ['ReadWriteOnce'] } } },
      /must have ReadWriteMany, or set api\.replicas to 1/,
    ],
    [{ ...base, worker: { slots: 0 } }, /worker\.slots: 0 needs worker\.remote\.enabled/],
    [{ ...base, worker: { sandbox: 'container' } }, /Set worker\.container\.image/],
    [{ ...base, worker: { sandbox: 'kubernetes' } }, /Set worker\.kubernetes\.image/],
    [
      { ...base, worker: { sandbox: 'kubernetes', persistence: { enabled: false } } },
      /needs worker\.persistence\.enabled/,
    ],
    [{ ...base, worker: { sandbox: 'container', container: { image: 'a' } } }, /Set worker\.container\.socketGroup/],
    [{ ...base, worker: { autoscaling: { enabled: true } } }, /needs metrics\.enabled/],
  ] as const)
    await assert.rejects(render(values), sentence)
})

test('values are those that the templates read, and values.schema.json knows them and no others', async () => {
  const values = parse(read('deploy/chart/runwright/values.yaml')) as Record<string, unknown>
  const templates = globSync('templates/*', { cwd: chart }).map((file) => readFileSync(path.join(chart, file), 'utf8'))
  const named = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name))
  assert.ok(named.length > 60)
  const find = (name: string) =>
    name.split('.').reduce<unknown>((at, word) => (at as Record<string, unknown>)?.[word], values)
  for (const name of named) assert.notEqual(find(name), undefined, name)

  const isValid = new Ajv({ allowUnionTypes: true }).compile(
    JSON.parse(read('deploy/chart/runwright/values.schema.json')) as object,
  )
  for (const set of [values, ...Object.values(sets)]) assert.ok(isValid(set))
  for (const wrong of [
    { api: { replica: 3 } },
    { worker: { sandbox: 'docker' } },
    { settings: { RUNWRIGHT_LFS_MIB: 2 } },
  ])
    assert.ok(!isValid(wrong), JSON.stringify(wrong))
})

test('the files of Compose set what there is, and wait for processes to end', () => {
  const files = ['compose.yaml', 'compose.containers.yaml'].map((name) => read(`deploy/compose/${name}`))
  type Service = { environment?: Record<string, string>; stop_grace_period?: string; command?: string }
  const [main, containers] = files.map(
    (text) => (parse(text, { merge: true }) as { services: Record<string, Service> }).services,
  )
  for (const [name, { command, environment, stop_grace_period: grace }] of Object.entries(main!)) {
    if (!['api', 'worker', 'migrate'].includes(command ?? '')) continue
    const settings = { ...environment, ...containers![name]?.environment }
    // With what is written behind ":-", or the name.
    const made = Object.entries(settings).map(([each, value]) => [
      each,
      value.replaceAll(
        /\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}/g,
        (_, variable: string, otherwise?: string) => otherwise ?? variable.repeat(2),
      ),
    ])
    const { config, unknown } = configOf(Object.fromEntries(made) as Record<string, string>)
    assert.deepEqual(unknown, [], name)
    assert.ok(parseInt(grace!) * 1_000 > config.drainSeconds * 1_000 + limits.drainMs)
  }
  namesAreIn(files.join(''), '.env.example')
})

test('the file of Compose for a remote worker sets what there is', () => {
  const text = read('deploy/compose/compose.remote-worker.yaml')
  type Service = { environment: Record<string, string>; command: string }
  const { services } = parse(text) as { services: Record<string, Service> }
  const { environment, command } = services['remote-worker']!
  assert.equal(command, 'remote-worker')
  const set = { RUNWRIGHT_SERVICE_URL: 'https://runwright.example', RUNWRIGHT_WORKER_TOKEN: 'x'.repeat(40) }
  assert.deepEqual(Object.keys(environment), Object.keys(set))
  assert.deepEqual(configOf(set).unknown, [])
  namesAreIn(text, '.env.remote-worker.example')
})

/** Variables of a file, and settings that pass through it, are in its example. */
function namesAreIn(text: string, exampleName: string): void {
  const example = read(`deploy/compose/${exampleName}`)
  for (const [, name = ''] of text.matchAll(/\$\{(\w+)/g)) assert.match(example, new RegExp(`^#${name}=`, 'm'))
}
