import type { Operations } from '@runwright/sdk'
import type { Effort } from '#base/efforts.ts'
import { toItems } from '#base/lines.ts'

type Body = Omit<Operations['createRun']['input'], 'org_id'>

/** What is chosen beside the prompt; null: what the service chooses. */
export type RunOptions = {
  repoId: number | null
  engine: string | null
  model: string | null
  effort: Effort | null
  budgetUsd: number | null
  minutes: number | null
  title: string
  baseBranch: string
  branch: string
  /** Folders, one a line; empty: as the repository has it. */
  paths: string
  /** An open pull request to go on with. */
  pullId: number | null
  /** Null: as the organization has it. */
  opensPull: boolean | null
  approvesPlan: boolean
  images: { name: string; data: string }[]
  /** As it was typed. */
  metadata: string
  outputSchema: string
}

export const noOptions: RunOptions = {
  repoId: null,
  engine: null,
  model: null,
  effort: null,
  budgetUsd: null,
  minutes: null,
  title: '',
  baseBranch: '',
  branch: '',
  paths: '',
  pullId: null,
  opensPull: null,
  approvesPlan: false,
  images: [],
  metadata: '',
  outputSchema: '',
}

/** What is sent; only what was chosen. */
export function toBody(options: RunOptions): Omit<Body, 'prompt' | 'dry_run'> {
  const { pullId } = options
  const { repoId, engine, model, budgetUsd, minutes, title, baseBranch, branch, opensPull, approvesPlan, images } =
    options
  return {
    ...(repoId === null ? {} : { repo_id: repoId }),
    ...(engine === null ? {} : { agent_type: engine }),
    ...(model === null ? {} : { model }),
    ...(options.effort === null ? {} : { effort: options.effort }),
    ...(budgetUsd === null ? {} : { max_cost_usd: budgetUsd }),
    ...(minutes === null ? {} : { timeout_minutes: minutes }),
    ...(title ? { title } : {}),
    ...(baseBranch ? { base_branch: baseBranch } : {}),
    ...(branch && pullId === null ? { branch } : {}),
    ...(toItems(options.paths).length ? { paths: toItems(options.paths) } : {}),
    ...(pullId === null ? {} : { pull_request: pullId }),
    ...(opensPull === null ? {} : { create_pull_request: opensPull }),
    ...(approvesPlan ? { plan_approval: true } : {}),
    ...(images.length ? { images: images.map(({ data }) => data) } : {}),
    ...objectOf('metadata', options.metadata),
    ...objectOf('output_schema', options.outputSchema),
  }
}

function objectOf(
  name: 'metadata' | 'output_schema',
  text: string,
): { [Name in typeof name]?: Record<string, unknown> } {
  const value = readObject(text)
  return value ? { [name]: value } : {}
}

/** Null for nothing and for what is no object of JSON. */
export function readObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null
  } catch {
    return null
  }
}
