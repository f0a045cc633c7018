import type { Run } from '#domain/runs/run.ts'
import type { Components } from '#http/schemas/index.ts'
import { presentRunHead } from './present-run.ts'

type Named = { sessionId: string; publicUrl: string }

export function presentOutsideSession(run: Run, { sessionId, publicUrl }: Named): Components['OutsideSession'] {
  const { id, status, web_url } = presentRunHead(run, publicUrl)
  return { session_id: sessionId, agent_run_id: id, status, web_url }
}
