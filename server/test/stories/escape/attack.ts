/**
 * What every way out is tried from: a sandbox whose commands attack, a neighbour, and a machine with things around them
 * that are worth an attack. The provider is a parameter: `RUNWRIGHT_TEST_SANDBOX` names whose isolation is tried.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { openContainer } from '#adapters/sandboxes/container/container.ts'
import type { Sandbox, SandboxLimits, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { sayIn, testLimits, testSandboxes, type TestSandboxes } from '#test/test-sandboxes.ts'

export const isRoot = process.getuid?.() === 0
export const COMMAND_MS = 30_000

type Isolation = {
  open: (options: { folder: string }) => SandboxProvider
  /** Who its commands are on this machine. */
  uid: number
  /** And who they are inside. */
  uidInside: number
  /** Whether what is seen inside is an image's, and not this machine's. */
  isOfImage: boolean
}

const uid = isRoot ? 64_900 : process.getuid!()

const isolations: Record<string, () => Isolation> = {
  bubblewrap: () => ({ open: openBubblewrap, uid, uidInside: 1_000, isOfImage: false }),
  container: () => ({ open: openContainerHere, uid, uidInside: uid, isOfImage: true }),
}

/** In the engine that whoever runs the suite has started. */
function openContainerHere({ folder }: { folder: string }): SandboxProvider {
  const { RUNWRIGHT_TEST_ENGINE: socket = null, RUNWRIGHT_TEST_IMAGE: image = null } = process.env
  return openContainer({ folder, socket, image, runtime: null })
}

function isolationUnderTest(): Isolation {
  const name = process.env.RUNWRIGHT_TEST_SANDBOX ?? 'bubblewrap'
  const found = isolations[name]
  assert.ok(found, `there is no isolation called ${name}`)
  return found()
}

export type Attack = TestSandboxes &
  Omit<Isolation, 'open'> & {
    /** Of the service; nobody else may read it. */
    secretFile: string
    attacker: Sandbox
    neighbour: Sandbox
    /** One more, with limits of its own. */
    openMore: (id: string, limits?: Partial<SandboxLimits>) => Promise<Sandbox>
    /** What a line of shell says in the attacker's sandbox, on both streams. */
    attempt: (shell: string, sandbox?: Sandbox) => Promise<string>
    attemptInPerl: (program: string, sandbox?: Sandbox) => Promise<string>
    attemptInNode: (program: string, ...words: string[]) => Promise<string>
  }

export async function openAttack(): Promise<Attack> {
  const { open, ...isolation } = isolationUnderTest()
  const sandboxes = testSandboxes(open)
  const { base, provider } = sandboxes
  const secretFile = path.join(base, 'service.key')
  writeFileSync(secretFile, 'CANARY-OF-THE-SERVICE', { mode: 0o600 })
  process.env.RUNWRIGHT_TEST_DATABASE = 'CANARY-IN-THE-ENVIRONMENT'
  const openMore = (id: string, limits: Partial<SandboxLimits> = {}) =>
    provider.create({ id, limits: { ...testLimits, ...limits } })
  const attacker = await openMore('attacker')
  const neighbour = await openMore('neighbour')
  await neighbour.writeFile('private.txt', Buffer.from('CANARY-OF-THE-NEIGHBOUR'))
  const run = async (sandbox: Sandbox, argv: string[]) => {
    const { output, exitCode } = await sandbox.exec({ argv, timeoutMs: COMMAND_MS }).result
    assert.notEqual(exitCode, 127, `these tests need ${argv[0]}`)
    return output.toString().trim()
  }
  return {
    ...sandboxes,
    ...isolation,
    secretFile,
    attacker,
    neighbour,
    openMore,
    attempt: (shell, sandbox = attacker) => sayIn(sandbox, shell),
    attemptInPerl: (program, sandbox = attacker) => run(sandbox, ['perl', '-e', program]),
    attemptInNode: (program, ...words) => run(attacker, [`${attacker.paths.nodeFolder}/node`, '-e', program, ...words]),
  }
}
