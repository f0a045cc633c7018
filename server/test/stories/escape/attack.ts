/**
 * What every way out is tried from: a sandbox whose commands attack, a neighbour, and a machine with things around them
 * that are worth an attack. The provider is a parameter: `RUNWRIGHT_TEST_SANDBOX` names whose isolation is tried.
 */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { openContainer } from '#adapters/sandboxes/container/container.ts'
import type { OnTrouble, Sandbox, SandboxLimits, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { sayIn, testLimits, testSandboxes, type TestSandboxes } from '#test/test-sandboxes.ts'

export const isRoot = process.getuid?.() === 0
export const COMMAND_MS = 30_000
/** As long as a file of these tests may take. */
const LIFETIME_MS = 900_000

type OpenProvider = {
  folder: string
  onTrouble?: OnTrouble
  uid?: number
  /** With nothing there that could isolate. */
  isMissing?: boolean
}

type Isolation = {
  open: (options: OpenProvider) => SandboxProvider
  /** Who its commands are on this machine. */
  uid: number
  /** And who they are inside. */
  uidInside: number
  /** Whether what is seen inside is an image's, and not this machine's. */
  isOfImage: boolean
  /** Whether commands call a kernel of their sandbox's own, and what they see of the kernel is that one's. */
  hasOwnKernel: boolean
}

const uid = isRoot ? 64_900 : process.getuid!()

const isolations: Record<string, () => Isolation> = {
  bubblewrap: () => ({ open: openBubblewrapHere, uid, uidInside: 1_000, isOfImage: false, hasOwnKernel: false }),
  container: () => ({ open: openContainerOf(null), uid, uidInside: uid, isOfImage: true, hasOwnKernel: false }),
  gvisor: () => ({ open: openContainerOf('runsc'), uid, uidInside: uid, isOfImage: true, hasOwnKernel: true }),
}

const nowhere = '/no/such/file'

const openBubblewrapHere = ({ isMissing, ...options }: OpenProvider) =>
  openBubblewrap({ ...options, ...(isMissing && { bubblewrap: nowhere }) })

/** In the engine that whoever runs the suite has started. */
function openContainerOf(runtime: string | null): Isolation['open'] {
  const { RUNWRIGHT_TEST_ENGINE: engine = null, RUNWRIGHT_TEST_IMAGE: image = null } = process.env
  return ({ isMissing, ...options }) =>
    openContainer({ ...options, socket: isMissing ? nowhere : engine, image, runtime })
}

/** Another provider like the one that is tried. */
export const openUnderTest = (options: OpenProvider) => isolationUnderTest().open(options)

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
    /** What lies in a folder of the attacker's sandbox. The gVisor of Debian 12 does not know a call of `ls`. */
    listInside: (folder: string) => Promise<string[]>
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
    provider.create({ id, limits: { ...testLimits, lifetimeMs: LIFETIME_MS, ...limits } })
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
    listInside: async (inside) =>
      (await sayIn(attacker, `find ${inside} -mindepth 1 -maxdepth 1 -printf '%f\\n'`)).split('\n').toSorted(),
    attemptInPerl: (program, sandbox = attacker) => run(sandbox, ['perl', '-e', program]),
    attemptInNode: (program, ...words) => run(attacker, [`${attacker.paths.nodeFolder}/node`, '-e', program, ...words]),
  }
}
