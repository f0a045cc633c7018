import { answer, call, edit, finish, read, runHidden, shell, write, type AgentTask } from '#test/agent-task.ts'

const app = `import { createServer } from 'node:http'

/** The shop's server; not listening yet. */
export function createShop() {
  const orders = []
  const server = createServer((request, response) => {
    if (request.url === '/orders') return send(response, 200, orders)
    send(response, 404, { error: 'There is nothing here.' })
  })
  return { server, orders }
}

function send(response, status, body) {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
`
const tests = `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createShop } from '../src/shop.js'

test('tells whether it takes requests', async () => {
  const shop = createShop()
  shop.server.listen(0, '127.0.0.1')
  await once(shop.server, 'listening')
  const at = \`http://127.0.0.1:\${shop.server.address().port}/healthz\`
  assert.deepEqual(await (await fetch(at)).json(), { status: 'ok' })
  shop.drain()
  assert.equal((await fetch(at)).status, 503)
  shop.server.close()
  shop.server.closeAllConnections()
})
`
const title = 'Add GET /healthz, which says when the shop drains'
const work = [
  answer(
    'Three steps, so a plan.',
    call('plan', {
      steps: [
        { text: 'Read the server', status: 'in_progress' },
        { text: 'Add the route and drain()', status: 'pending' },
        { text: 'Test it, also by a real request', status: 'pending' },
      ],
    }),
  ),
  answer('', read('src/shop.js'), read('bin/serve.js'), read('README.md')),
  answer(
    'A flag beside the orders will do.',
    edit('src/shop.js', '  const orders = []\n', '  const orders = []\n  let isDraining = false\n'),
    edit(
      'src/shop.js',
      '    send(response, 404',
      "    if (request.url === '/healthz')\n      return send(response, isDraining ? 503 : 200, { status: isDraining ? 'draining' : 'ok' })\n    send(response, 404",
    ),
    edit(
      'src/shop.js',
      'return { server, orders }',
      'return { server, orders, drain: () => void (isDraining = true) }',
    ),
    edit('bin/serve.js', 'const { server } = createShop()', 'const { server, drain } = createShop()'),
    edit('bin/serve.js', "'127.0.0.1')\n", "'127.0.0.1')\nprocess.on('SIGTERM', drain)\n"),
    write('test/healthz.test.js', tests),
  ),
]

export const task: AgentTask = {
  title: 'adds a feature, and tries it by a request to a server that it has started',
  wire: 'chat',
  files: {
    'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
    'src/shop.js': app,
    'bin/serve.js':
      "import { createShop } from '../src/shop.js'\n\nconst { server } = createShop()\nserver.listen(Number(process.env.PORT ?? 8080), '127.0.0.1')\n",
    'README.md': '# Shop\n\nStart it with `node bin/serve.js`.\n',
  },
  prompt:
    'Our load balancer needs GET /healthz. It answers 200 with {"status":"ok"}; after createShop().drain() was called, which SIGTERM does in bin/serve.js, it answers 503 with {"status":"draining"}.',
  answers: [
    ...work,
    answer('', shell('node --test')),
    answer(
      'The tests pass. Now as people start it.',
      call('session', { command: 'PORT=18080 node bin/serve.js', wait_seconds: 1 }),
    ),
    answer(
      '',
      shell(
        'until curl -sf $at; do sleep 0.1; done; pkill -TERM -x node; until curl -s -w " %{http_code}" $at | grep 503; do sleep 0.1; done'.replaceAll(
          '$at',
          'http://127.0.0.1:18080/healthz',
        ),
        { timeout_seconds: 60 },
      ),
    ),
    answer('', call('session', { session: 's1', stop: true })),
    answer(
      '',
      call('plan', {
        steps: [
          { text: 'Read the server', status: 'done' },
          { text: 'Add the route and drain()', status: 'done' },
          { text: 'Test it, also by a real request', status: 'done' },
        ],
      }),
    ),
    finish({
      title,
      summary:
        '`GET /healthz` answers 200 and `{"status":"ok"}`, and 503 and `{"status":"draining"}` after `drain()` [t1-4.1], which SIGTERM calls [t1-6.1].',
      steps: ['t1-6.1', 't1-4.1'],
    }),
  ],
  changed: { 'bin/serve.js': '2 1', 'src/shop.js': '4 1', 'test/healthz.test.js': '16 0' },
  says: [/which SIGTERM calls/, /`node --test`: passed/, /`until curl .*: passed/],
  exitCodes: [0, 0],
  log: (entries) => {
    const tried = entries.findLast(({ tool_name }) => tool_name === 'shell')?.tool_output?.['output']
    if (!/\{"status":"ok"\}\{"status":"draining"\} 503/.test(String(tried))) throw new Error(String(tried))
  },
  hidden: (clone) =>
    runHidden(
      clone,
      {
        'hidden.test.js': `import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createShop } from './src/shop.js'
const { server, drain, orders } = createShop()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
const ask = async (path) => {
  const answer = await fetch('http://127.0.0.1:' + server.address().port + path)
  return [answer.status, await answer.json()]
}
assert.deepEqual(await ask('/healthz'), [200, { status: 'ok' }])
drain()
assert.deepEqual(await ask('/healthz'), [503, { status: 'draining' }])
assert.deepEqual(await ask('/orders'), [200, []])
assert.equal((await ask('/health'))[0], 404)
server.close()
server.closeAllConnections()
`,
      },
      'node',
      '--test',
    ),
  lie: {
    title: 'names a suite that it has not run',
    answers: [
      ...work,
      answer('', shell('node --check src/shop.js')),
      ...[1, 2].map(() =>
        finish({ title, summary: 'All tests pass.', steps: ['t1-4.1'], commands: ['npm test', 'npm run test:e2e'] }),
      ),
    ],
    ends: null,
    says: [/`node --check src\/shop\.js`: passed/, /`npm test`: not run here/, /`npm run test:e2e`: not run here/],
    never: /npm (?:run )?test\S*`: passed/,
  },
}
