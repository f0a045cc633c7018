import { Type } from 'typebox'
import { enforcedLimits, enforcements } from '#base/enforcement.ts'
import { Id, Nullable, PageOf, Time, Word } from './fields.ts'

const eachLimit = <Schema>(schema: Schema) =>
  Object.fromEntries(enforcedLimits.map((limit) => [limit, schema])) as Record<(typeof enforcedLimits)[number], Schema>

const Enforcement = Type.Object(eachLimit(Word(enforcements)), {
  description:
    'How each limit is held: by the kernel, by the kernel for each process alone, by looking at it now and then, not at all.',
})

/** What an organization requires of the sandboxes of its runs. */
export const SandboxRequire = Type.Object(eachLimit(Type.Optional(Word(enforcements))), {
  description:
    'How limits must be held at least, in the order `none`, `polled`, `per-process`, `kernel`; runs are refused where they are not. Replaces what was required before.',
})

const SandboxBody = Type.Object(
  {
    id: Id,
    organization_id: Id,
    agent_run_id: Nullable(Id),
    check_key: Nullable(Type.String({ description: 'The check whose commands it ran, in place of a run.' })),
    provider: Type.String({ description: 'Whose walls they are: `bubblewrap`; `unsafe` are none.' }),
    worker: Type.String({ description: 'The worker on whose machine it runs.' }),
    status: Word(['running', 'ended']),
    enforcement: Enforcement,
    started_at: Time,
    ended_at: Nullable(Time),
    end_reason: Nullable(
      Type.String({
        description:
          'Why it ended: `lifetime`, `disk_full`, `out_of_memory`, `open_files`, `unmeasured`, `unresponsive`, `lost` with its worker, or in words.',
      }),
    ),
  },
  { $id: 'Sandbox', title: 'Sandbox' },
)

const SandboxCommandBody = Type.Object(
  {
    n: Type.Integer({
      minimum: 1,
      description: 'Counted in the sandbox; where there were many, the first ones are gone.',
    }),
    command: Type.String({ description: 'The line for the shell, or the program and its arguments.' }),
    started_at: Time,
    duration_ms: Type.Integer({ minimum: 0 }),
    exit_code: Nullable(Type.Integer({ description: 'Null where a signal ended it.' })),
    reason: Type.String({ description: '`exited`, `timeout`, `killed`, `out_of_memory`, `sandbox_lost`.' }),
    output: Type.String({ description: 'The end of what it printed.' }),
    cut_bytes: Type.Integer({ minimum: 0, description: 'What came before that.' }),
  },
  { $id: 'SandboxCommand', title: 'SandboxCommand' },
)

const LogAnalysisBody = Type.Object(
  { agent_run_id: Id, status: Type.String({ description: 'Of the run.' }), message: Type.String() },
  { $id: 'LogAnalysis', title: 'LogAnalysis' },
)

export const sandboxComponents = [
  SandboxBody,
  PageOf('Sandbox'),
  SandboxCommandBody,
  PageOf('SandboxCommand'),
  LogAnalysisBody,
]
