/**
 * Sandboxes without isolation: plain processes of this machine in a folder each, for development where bubblewrap cannot
 * be had. What an agent writes runs with the service's own rights.
 */
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EnforcementReport } from '#base/enforcement.ts'
import { baitEnvironment, commandEnvironment, gitConfig } from './command-environment.ts'
import { findRipgrep } from './find-ripgrep.ts'
import type { Launched } from './local-launch.ts'
import { openLocalProvider } from './local-provider.ts'
import { recordOf, removeRecords, writeRecords } from './process-record.ts'
import { asDiskFull, type SandboxFiles } from './sandbox-files.ts'
import type { CreateSandbox, SandboxProvider } from './sandbox.ts'

const enforcement: EnforcementReport = {
  memory: 'none',
  cpu: 'none',
  processes: 'none',
  disk: 'none',
  network: 'none',
  kill: 'none',
}

export function openUnsafe({ folder }: { folder: string }): SandboxProvider {
  const local = openLocalProvider(path.resolve(folder), {
    owner: null,
    launch: async (files, spec) => launchAgent(files, spec),
    sweep: async (files) => killMarked(markOf(files)),
  })
  return {
    name: 'unsafe',
    enforcement,
    ...local,
    probe: async () => ({
      isolated: false,
      problems: ['commands run on this machine without isolation'],
      notes: [],
      enforcement,
    }),
  }
}

function launchAgent(files: SandboxFiles, { mounts = {}, bait, author }: CreateSandbox): Launched {
  const nodeFolder = path.dirname(process.execPath)
  const ripgrep = findRipgrep()?.path ?? null
  const { workspace, home, temporary } = files
  const gitConfigPath = path.join(files.folder, 'gitconfig')
  const token = `${markOf(files)}${randomUUID()}`
  writeFileSync(gitConfigPath, gitConfig(author))
  const agent = fileURLToPath(new URL('./exec-agent.mjs', import.meta.url))
  const main = spawn(process.execPath, ['--no-warnings', agent, token], {
    env: {
      ...commandEnvironment({ home, temporary, nodeFolder, ripgrep }),
      GIT_CONFIG_SYSTEM: gitConfigPath,
      ...baitEnvironment(bait),
    },
    cwd: workspace,
    detached: true,
    stdio: 'pipe',
  })
  const records = main.pid === undefined ? [] : [recordOf(main.pid)]
  try {
    writeRecords(files.records, records)
  } catch (error) {
    main.kill('SIGKILL')
    throw asDiskFull(error, files.folder)
  }
  return {
    processes: {
      main,
      // At the end of its input the agent kills its commands' trees, then leaves.
      end: () => main.stdin.end(),
      kill: () => main.kill('SIGKILL'),
      gone: async () => {
        killMarked(token)
        removeRecords(files.records, records)
        return true
      },
      outOfMemoryKills: () => 0,
    },
    paths: { workspace, home, temporary, nodeFolder, ripgrep, mounts },
    enforcement,
    // Its programs have the machine's own network.
    proxyUrl: null,
    canLookOnly: false,
    firstPid: () => main.pid ?? null,
  }
}

/** What begins the mark that all processes of this sandbox bear in their environment, whoever started them. */
function markOf(files: SandboxFiles): string {
  return `${createHash('sha256').update(files.folder).digest('hex').slice(0, 16)}.`
}

/** For what outlives an agent that was itself killed. Needs /proc; elsewhere nothing is found. */
function killMarked(mark: string): void {
  for (const pid of processIds()) {
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1')
      if (environment.split('\0').some((entry) => entry.startsWith(`RUNWRIGHT_COMMAND=${mark}`)))
        process.kill(pid, 'SIGKILL')
    } catch {
      // It ended meanwhile, or belongs to somebody else.
    }
  }
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .map(Number)
      .filter((pid) => pid > 1)
  } catch {
    return []
  }
}
