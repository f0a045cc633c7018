// Agents that people use, each without a person, with a model on loopback and a home of its own.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { ScriptedCall } from '../../server/test/model-wires.ts'
import { controlFile } from '../install-controls.ts'

/** Longer than the slowest takes on a busy machine. */
const runMs = 180_000

type OtherAgent = {
  title: string
  /** How its model calls for a command. */
  call(command: string): ScriptedCall
  /** Of what was installed; a script runs by this Node. */
  program: string
  args: string
  /** Files of its home, and its environment. */
  setUp(options: { home: string; url: string }): { files?: Record<string, string>; env: Record<string, string> }
}

export const otherAgents: Record<string, OtherAgent> = {
  pi: {
    title: 'pi 0.73.1',
    call: (command) => ({ name: 'bash', input: { command } }),
    program: '@mariozechner/pi-coding-agent/dist/cli.js',
    args: '-p --provider bench --model scripted-1 --no-session Count',
    setUp: ({ url }) => ({
      files: {
        '.pi/agent/models.json': JSON.stringify({
          providers: {
            bench: { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'none', models: [{ id: 'scripted-1' }] },
          },
        }),
      },
      env: { PI_OFFLINE: '1' },
    }),
  },
  gemini: {
    title: 'Gemini CLI 0.61.0',
    call: (command) => ({ name: 'run_shell_command', input: { command, description: 'Count' } }),
    program: '@google/gemini-cli/bundle/gemini.js',
    args: '--yolo -m gemini-2.5-pro -p Count',
    setUp: ({ url }) => ({
      files: {
        '.gemini/settings.json': JSON.stringify({
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          general: { disableAutoUpdate: true },
          security: { folderTrust: { enabled: false }, auth: { selectedType: 'gemini-api-key' } },
        }),
      },
      env: { GEMINI_API_KEY: 'none', GOOGLE_GEMINI_BASE_URL: url, GEMINI_CLI_TRUST_WORKSPACE: 'true' },
    }),
  },
  codex: {
    title: 'Codex 0.169.0',
    call: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    program: '@openai/codex/bin/codex.js',
    args: 'exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox Count',
    setUp: ({ home, url }) => ({
      files: {
        '.codex/config.toml': `model = "gpt-5.1-codex"
model_provider = "bench"
check_for_update_on_startup = false
[model_providers.bench]
name = "bench"
base_url = "${url}/v1"
wire_api = "responses"
requires_openai_auth = false
[analytics]
enabled = false
[features]
plugins = false
remote_plugin = false
apps = false
plugin_discovery_prefetch = false
`,
      },
      env: { CODEX_HOME: path.join(home, '.codex') },
    }),
  },
  claude: {
    title: 'Claude Code 2.1.332',
    call: (command) => ({ name: 'Bash', input: { command, description: 'Count' } }),
    program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
    args: '-p Count --model claude-sonnet-4-5 --allowedTools Bash',
    setUp: ({ home, url }) => ({
      env: {
        ANTHROPIC_API_KEY: 'none',
        ANTHROPIC_BASE_URL: url,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        CLAUDE_CONFIG_DIR: path.join(home, '.claude'),
        DISABLE_AUTOUPDATER: '1',
        DISABLE_ERROR_REPORTING: '1',
        DISABLE_TELEMETRY: '1',
      },
    }),
  },
}

/** From its start to its end, in a folder of its own. Throws with the end of what it printed where it fails. */
export async function runOtherAgent(name: string, url: string): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-agent-'))
  const [home, work] = [path.join(folder, 'home'), path.join(folder, 'work')]
  try {
    mkdirSync(home)
    mkdirSync(work)
    const { program, args, setUp } = otherAgents[name]!
    const { files = {}, env } = setUp({ home, url })
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true })
      writeFileSync(path.join(home, file), content)
    }
    const installed = controlFile('agents', path.join('node_modules', program))
    const script = program.endsWith('.js') ? [installed] : []
    const child = spawn(script.length ? process.execPath : installed, [...script, ...args.split(' ')], {
      cwd: work,
      env: { PATH: process.env['PATH'], HOME: home, TMPDIR: folder, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: runMs,
      killSignal: 'SIGKILL',
    })
    const ended = new Promise((resolve) => child.once('close', resolve))
    const printed = (await Promise.all([text(child.stdout), text(child.stderr)])).join('\n')
    const code = await ended
    if (code !== 0) throw new Error(`${name} ended with ${String(code)}: ${printed.slice(-2_000)}`)
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}
