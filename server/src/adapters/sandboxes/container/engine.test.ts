/** What an operator is told where containers cannot be used. */
import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openContainer } from './container.ts'

const { base } = testSandboxes()
const open = (socket: string, image: string | null = 'work:latest', runtime: string | null = null) =>
  openContainer({ folder: path.join(base, 'containers'), socket, image, runtime })

/** Why it is refused, by the probe and by whoever tries all the same. */
async function refusal(provider: ReturnType<typeof open>): Promise<string> {
  const { isolated, problems } = await provider.probe()
  assert.equal(isolated, false)
  await assert.rejects(provider.create({ id: 'any', limits: testLimits }))
  return problems.join('\n')
}

let servers = 0
async function listen(answer: RequestListener): Promise<string> {
  const socket = path.join(base, `engine-${servers++}.sock`)
  const server = createServer(answer).listen(socket)
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  await new Promise((resolve) => server.once('listening', resolve))
  return socket
}

type Says = { info?: object; components?: object[]; image?: object | null }

/** An engine that says this, and has no containers. */
const saying = ({ info = {}, components = [], image = { Id: 'sha256:1', Config: {} } }: Says) =>
  listen(({ url = '' }, response) => {
    const found = url.startsWith('/info')
      ? info
      : url.startsWith('/version')
        ? { Version: '1.2.3', Components: components }
        : url.startsWith('/images/')
          ? image
          : []
    response.statusCode = found === null ? 404 : 200
    response.end(JSON.stringify(found ?? { message: 'no such image' }))
  })

test('there is no socket, or nobody listens at it', async () => {
  assert.match(
    await refusal(open(path.join(base, 'none.sock'))),
    /no socket at \S+none\.sock: start the container engine/,
  )
  const socket = path.join(base, 'left.sock')
  const left = net.createServer().listen(socket)
  await new Promise((resolve) => left.once('listening', resolve))
  // As a killed engine leaves it: a file that nobody listens at.
  const { link } = await import('node:fs/promises')
  await link(socket, `${socket}.kept`)
  await new Promise((resolve) => left.close(resolve))
  assert.match(
    await refusal(open(`${socket}.kept`)),
    /Nobody listens at \S+left\.sock\.kept: start the container engine/,
  )
})

test('no image is named, or the engine has none of that name', async () => {
  assert.match(await refusal(open(await saying({}), null)), /set RUNWRIGHT_SANDBOX_IMAGE/)
  assert.match(await refusal(open(await saying({ image: null }))), /has no image work:latest: pull or build it/)
})

test('the engine is of another user, copies images, or knows no such runtime', async () => {
  const rootless = { SecurityOptions: ['name=seccomp', 'name=rootless'] }
  if (process.getuid?.() === 0)
    for (const info of [rootless, { Rootless: true }])
      assert.match(await refusal(open(await saying({ info }))), /run both as one user/)
  assert.match(await refusal(open(await saying({ info: rootless }))), /Docker without root/)
  assert.match(await refusal(open(await saying({ info: { Driver: 'vfs' } }))), /set its storage driver to overlay/)
  const info = { Runtimes: { runc: {} } }
  assert.match(await refusal(open(await saying({ info }), 'work', 'runsc')), /knows no runtime runsc, only runc/)
  const podman = { info: { DefaultRuntime: 'runc' }, components: [{ Name: 'Podman Engine' }] }
  assert.match(
    await refusal(open(await saying(podman), 'work', 'runsc')),
    /set `runtime = "runsc"` in its containers\.conf/,
  )
})

test('the engine breaks off, answers nonsense, or refuses with a reason', async () => {
  assert.match(await refusal(open(await listen(({ socket }) => socket.destroy()))), /does not answer/)
  const nonsense = await listen((_, response) => response.end('<html>'))
  assert.ok((await refusal(open(nonsense))).length > 0)
  const refusing = await listen((_, response) => response.writeHead(500).end('{"message":"the disk is gone"}'))
  assert.match(await refusal(open(refusing)), /The container engine refused: the disk is gone\./)
})

test('files are listed without the engine, and removed only when it says that nothing runs over them', async () => {
  const provider = open(path.join(base, 'none.sock'))
  assert.deepEqual(await provider.list(), ['any'])
  await assert.rejects(provider.remove('any'), /no socket at/)
  await open(await saying({})).remove('any')
  assert.deepEqual(await provider.list(), [])
})
