import type { Service } from '#test/service.ts'
import { plant, type Planted } from './planted.ts'

/** Another organization of the same service, with a run at work that holds secrets wherever a run can. */
export type Neighbour = {
  organizationId: number
  runId: number
  repo: { id: number; git_url: string }
  planted: Planted[]
}

export async function makeNeighbour(service: Service): Promise<Neighbour> {
  const planted = ['prompt', 'file', 'environment', 'artifact', 'log'].map((where) => plant(`a neighbour's ${where}`))
  const [prompt, file, environment, artifact, log] = planted.map(({ value }) => value)
  const { id: organizationId } = await service.call<{ id: number }>('POST', '/v1/organizations', { name: 'neighbour' })
  const at = `/v1/organizations/${organizationId}`
  const repo = await service.call<Neighbour['repo']>('POST', `${at}/repos`, { name: 'ledger' })
  const places = '"$PWD" "$HOME" /tmp /dev/shm'
  const script = [
    {
      shell: `for place in ${places}; do echo ${file} > $place/neighbour.txt; done; git add -A; git commit -qm ${file}`,
    },
    { shell: `mkdir -p .runwright/artifacts; echo ${artifact} > .runwright/artifacts/report.txt; echo ${log}` },
    { answer: `Done: ${log}` },
  ]
  const scripts = [script, [{ shell: `export NEIGHBOUR=${environment}; echo begun; exec sleep 540` }]]
  const { id: runId } = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
    prompt,
    repo_id: repo.id,
    agent_type: 'scripted',
    metadata: { scripts: [scripts[0], scripts[1]] },
  })
  const first = await service.untilEnded(runId, 60_000, organizationId)
  if (first.status !== 'completed') throw new Error(`the neighbour's run: ${JSON.stringify(first.error)}`)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: runId, prompt })
  await service.untilRun(runId, (run) => run['status_detail'] === 'working', 60_000, organizationId)
  return { organizationId, runId, repo, planted }
}
