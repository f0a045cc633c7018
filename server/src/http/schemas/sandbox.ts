import { Type } from 'typebox'
import { enforcedLimits, enforcements } from '#base/enforcement.ts'
import { Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

const eachLimit = <Schema>(schema: Schema) =>
  Object.fromEntries(enforcedLimits.map((limit) => [limit, schema])) as Record<(typeof enforcedLimits)[number], Schema>

const Enforcement = Type.Object(eachLimit(Word(enforcements)), {
  description:
    'How each limit is enforced: by the kernel (`kernel`), by the kernel but only for each process (`per-process`), by periodic checks (`polled`), or not at all (`none`).',
})

/** What an organization requires of the sandboxes of its runs. */
export const SandboxRequire = Type.Object(eachLimit(Type.Optional(Word(enforcements))), {
  description:
    'Minimum enforcement for each limit, from weakest to strongest: `none`, `polled`, `per-process`, `kernel`. Runs are refused if no worker meets it. Replaces the previous requirements.',
})

const SandboxBody = Component('Sandbox', {
  id: Id,
  organization_id: Id,
  agent_run_id: Nullable(Id),
  check_key: Nullable(
    Type.String({ description: 'The check whose commands ran in the sandbox, if it was not used by a run.' }),
  ),
  provider: Type.String({
    description: 'What isolates the sandbox: `bubblewrap`, `container`, or `unsafe` for no isolation.',
  }),
  worker: Type.String({ description: 'The worker that runs the sandbox.' }),
  status: Word(['running', 'ended']),
  enforcement: Enforcement,
  started_at: Time,
  ended_at: Nullable(Time),
  end_reason: Nullable(
    Type.String({
      description:
        'Why the sandbox ended: `lifetime`, `disk_full`, `out_of_memory`, `open_files`, `unmeasured`, `unresponsive`, `lost` (together with its worker), or another reason as text.',
    }),
  ),
})

const SandboxCommandBody = Component('SandboxCommand', {
  n: Type.Integer({
    minimum: 1,
    description: 'Number within the sandbox. If there were many commands, the oldest are no longer stored.',
  }),
  command: Type.String({ description: 'The shell command line, or the program and its arguments.' }),
  started_at: Time,
  duration_ms: Type.Integer({ minimum: 0 }),
  exit_code: Nullable(Type.Integer({ description: 'Null if a signal terminated the command.' })),
  reason: Type.String({ description: '`exited`, `timeout`, `killed`, `out_of_memory`, or `sandbox_lost`.' }),
  output: Type.String({ description: 'The last part of the output.' }),
  cut_bytes: Type.Integer({ minimum: 0, description: 'Number of bytes of earlier output that were cut off.' }),
})

const LogAnalysisBody = Component('LogAnalysis', {
  agent_run_id: Id,
  status: Type.String({ description: 'Status of the run.' }),
  message: Type.String(),
})

export const sandboxComponents = [
  SandboxBody,
  PageOf(SandboxBody),
  SandboxCommandBody,
  PageOf(SandboxCommandBody),
  LogAnalysisBody,
]
