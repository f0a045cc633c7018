/** The contract of sandboxes, held by containers. */
import { test } from 'node:test'
import { startEngine } from '#test/container-engine.ts'
import { testContract } from '#test/sandbox-contract.ts'
import { openContainer } from './container.ts'

const engine = await startEngine()
if (typeof engine === 'string') test('a sandbox of container', { skip: engine }, () => {})
else
  testContract({
    name: 'container',
    open: ({ folder }) => openContainer({ folder, ...engine, runtime: null }),
    showsMountsReadOnly: true,
    isolates: true,
  })
