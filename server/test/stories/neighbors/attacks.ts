import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import { git, makeRepository } from '#test/example-repository.ts'
import type { Hostile } from './neighborhood.ts'

/** What one organization does to the machine that it shares: a run of its own, requests of its members, or both. */
export type Attack = {
  /** What its run does, one command after the other. */
  commands?: string[]
  /** What its run works in. */
  repository?: () => string
  agentType?: 'builtin'
  /** What it makes before anybody looks at what happens. */
  prepare?: (hostile: Hostile) => Promise<unknown>
  /** What its members send meanwhile, again and again. */
  send?: (hostile: Hostile) => Promise<unknown>
}

const python = (program: string) => `python3 - <<'PROGRAM'\n${program}\nPROGRAM`
/** Bodies of calls to models, sent from inside of the sandbox over its proxy. */
const callModel = (body: string, more = '') =>
  python(`
import gzip, json, os, threading, urllib.request
body = gzip.compress((${body}).encode())
def call():
    for _ in range(20):
        headers = {'authorization': 'Bearer ' + os.environ['RUNWRIGHT_RUN_TOKEN'], 'content-encoding': 'gzip', 'content-type': 'application/json'}
        request = urllib.request.Request(os.environ['RUNWRIGHT_MODEL_URL'] + '/openai/v1/chat/completions', body, headers)
        try: urllib.request.urlopen(request, timeout=20).read()
        except Exception as error: print(error)
threads = [threading.Thread(target=call) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
${more}`)
const hidden = '[a\u2028'.repeat(16_000)
const oneLine = 'x'.repeat(4_000_000)
const aliases = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
  .split('')
  .map((name, n) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[n]}`).join(',')}]`)
  .join('\n')}\n`

/** Made before anybody looks: whoever measures is in this process. */
const brokenBodies = [
  `{"prompt":${'['.repeat(500_000)}`,
  `{"prompt":"x","metadata":{${'"a":1,'.repeat(100_000)}"b":1}}`,
  gzipSync(Buffer.alloc(50_000_000)).toString('latin1'),
]

/** A tree in which each of ten names is the same tree, ten levels deep. */
function bombedRepository(): string {
  const folder = makeRepository({ 'a.txt': 'a\n' })
  const write = (words: string[], input: string) =>
    execFileSync('git', ['-C', folder, ...words], { input, encoding: 'utf8' }).trim()
  let [kind, mode, id] = ['blob', '100644', write(['hash-object', '-w', '--stdin'], 'x')]
  for (let level = 0; level < 10; level++) {
    const entries = Array.from({ length: 10 }, (_, n) => `${mode} ${kind} ${id}\tn${n}\n`).join('')
    ;[kind, mode, id] = ['tree', '040000', write(['mktree'], entries)]
  }
  git(folder, 'update-ref', 'refs/heads/main', write(['commit-tree', id, '-m', 'x'], ''))
  return folder
}

/** The eight by which the service was once stopped. */
export const known: Record<string, Attack> = {
  'carriage returns without end': {
    commands: [`for n in $(seq 20); do head -c 4000000 /dev/zero | tr '\\0' '\\r'; echo x; done`],
  },
  'an AGENTS.md of carriage returns': {
    agentType: 'builtin',
    repository: () => makeRepository({ 'AGENTS.md': `${'\r'.repeat(60_000)}x` }),
  },
  'thousands of descriptors in hundreds of processes': {
    commands: [
      python(`
import os, resource, time
soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
for _ in range(min(4000, hard - 10)): os.open('/dev/null', os.O_RDONLY)
for _ in range(450):
    try:
        if os.fork() == 0: time.sleep(20); os._exit(0)
    except OSError: break
time.sleep(20)`),
    ],
  },
  'nested lists, packed, for a model': {
    commands: [callModel(`'{"model":"scripted-1","messages":[],"x":[' + '[],' * 10000000 + '[]]}'`)],
  },
  'files that are renamed while they are counted': {
    commands: [
      python(`
import os, time
os.makedirs('/'.join(['\\x01' * 200] * 10), exist_ok=True)
os.chdir('/'.join(['\\x01' * 200] * 10))
for n in range(3000): open('\\x02' * 100 + str(n), 'w').close()
until = time.time() + 20
while time.time() < until:
    for n in range(3000):
        try: os.rename('\\x02' * 100 + str(n), '\\x03' * 100 + str(n)); os.rename('\\x03' * 100 + str(n), '\\x02' * 100 + str(n))
        except OSError: pass
    with open('/tmp/more', 'ab') as file: file.write(b'1' * 20_000_000)`),
    ],
  },
  'branches pushed by force': {
    repository: () => makeRepository({ 'a.txt': 'a\n' }),
    commands: [
      `for n in 1 2 3; do head -c 30000000 /dev/urandom > big; git add big; git commit -qm $n; git push -qf origin HEAD:agent/big || true; git reset -q --hard HEAD~1; done`,
    ],
  },
  'a diff between two large files that differ in one byte': {
    prepare: (hostile) =>
      hostile.finish({
        repository: () => makeRepository({ 'a.txt': 'a\n' }),
        commands: [
          'truncate -s 150M one; git add one; git commit -qm one',
          'rm one; truncate -s 150M other; printf x | dd of=other conv=notrunc 2>/dev/null',
        ],
      }),
    send: (hostile) => Promise.all([1, 2, 3].map(() => hostile.ask('GET', `/agent/run/${hostile.finished}/diff`))),
  },
  'comments that hide everything': {
    prepare: (hostile) => hostile.openIssue(),
    send: (hostile) => hostile.ask('POST', `/repos/${hostile.repo}/issues/1/comments`, { body: hidden }),
  },
}

/** Others, of our own. */
export const others: Record<string, Attack> = {
  'processes that only spin': {
    commands: [`for n in $(seq 200); do (while :; do :; done) & done; sleep 20; kill $(jobs -p)`],
  },
  'a storm of forks': {
    commands: [`for n in $(seq 200); do (while :; do /bin/true; done) & done 2>/dev/null; sleep 15; kill $(jobs -p)`],
  },
  'hundreds of thousands of empty files': {
    commands: [
      python(`
import os
for d in range(300):
    os.mkdir(f'd{d}')
    for n in range(1000): open(f'd{d}/{n}', 'w').close()`),
    ],
  },
  'folders ten thousand deep': {
    commands: [
      python(`
import os
for n in range(10000):
    os.mkdir('d'); os.chdir('d')`),
    ],
  },
  'pipes full of data': {
    commands: [
      python(`
import os, time
for _ in range(500):
    r, w = os.pipe(); os.set_blocking(w, False)
    try: os.write(w, b'x' * 1048576)
    except OSError: pass
time.sleep(10)`),
    ],
  },
  'a flood of output': { commands: [`timeout 15 yes 'a line that says nothing at all'`] },
  'a flood of single bytes': {
    commands: [
      python(`
import os, time
until = time.time() + 15
while time.time() < until: os.write(1, b'x'); os.write(2, b'y')`),
    ],
  },
  'lines of fifty megabytes': { commands: [`for n in 1 2 3; do head -c 50000000 /dev/zero | tr '\\0' x; echo; done`] },
  'colors without end': {
    commands: [`for n in 1 2 3; do head -c 8000000 /dev/zero | sed 's/\\x00/\\x1b[31m\\x1b[0;1;4;5;7m/g'; done`],
  },
  'a .runwright.yml of aliases': {
    repository: () => makeRepository({ '.runwright.yml': aliases }),
    commands: ['true'],
  },
  'a package.json of brackets, looked through for its setup': {
    prepare: (hostile) =>
      hostile.addRepository(
        makeRepository({
          'package.json': `{"scripts":${'['.repeat(200_000)}`,
          'requirements.txt': `${' '.repeat(100_000)}x\n`,
        }),
      ),
    send: (hostile) => hostile.ask('POST', '/setup-commands/generate', { repo_id: hostile.repo }),
  },
  'numbers and names without end, for a model': {
    commands: [callModel(`'{"model":"scripted-1","messages":[{"role":"user","content":"' + 'a' * 30000000 + '"}]}'`)],
  },
  'files that are written through to the disk': {
    commands: [
      `for n in $(seq 8); do (timeout 15 sh -c 'while :; do dd if=/dev/zero of=f'$n' bs=64k count=20 oflag=sync 2>/dev/null; done') & done; wait`,
    ],
  },
  'connections that say nothing': {
    commands: [
      python(`
import os, socket, time, urllib.parse
at = urllib.parse.urlparse(os.environ.get('HTTP_PROXY') or os.environ['http_proxy'])
held = []
for _ in range(400):
    s = socket.create_connection((at.hostname, at.port)); s.send(b'GET /model HTTP/1.1\\r\\nX: '); held.append(s)
time.sleep(10)`),
    ],
  },
  'a file of one line of four megabytes, read and searched': {
    repository: () => makeRepository({ 'line.txt': oneLine }),
    commands: ['cat line.txt; grep -o . line.txt | head -c 3000000', 'echo y >> line.txt'],
  },
  'a tree of ten billion paths': { repository: bombedRepository, commands: ['ls'] },
  'patterns that take for ever, for an answer': {
    send: (hostile) =>
      hostile.ask('POST', '/agent/run', {
        prompt: 'x',
        agent_type: 'scripted',
        output_schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
        metadata: { script: [{ answer: `{"a":"${'a'.repeat(40)}b"}` }] },
      }),
  },
  'bodies that are nested, long or broken': {
    send: async (hostile) => {
      for (const body of brokenBodies) await hostile.ask('POST', '/agent/run', body)
    },
  },
  'names that nobody answers for': {
    send: (hostile) =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          hostile.ask('POST', '/repos', {
            name: `slow-${n}-${Date.now()}`,
            import_from: `https://slow${n}.example.com/x.git`,
          }),
        ),
      ),
  },
}
