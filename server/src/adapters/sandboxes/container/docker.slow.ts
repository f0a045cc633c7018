/** The contract of sandboxes, held by containers of Docker. */
import { after, test } from 'node:test'
import { startDocker } from '#test/docker-engine.ts'
import { testContract } from '#test/sandbox-contract.ts'
import { openContainer } from './container.ts'

const docker = await startDocker()
if (typeof docker === 'string') test('a sandbox of container, by Docker', { skip: docker }, () => {})
else {
  const { stop, ...engine } = docker
  testContract({
    name: 'container',
    open: ({ folder }) => openContainer({ folder, ...engine, runtime: null }),
    showsMountsReadOnly: true,
    isolates: true,
  })
  after(stop)
}
