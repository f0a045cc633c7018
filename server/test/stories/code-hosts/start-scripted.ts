import type { Service } from '#test/service.ts'

export type StartScripted = { service: Service; at: string; repoId: number; scripts: object[][] }

/** Starts a run that opens a pull request and does in each turn what its script says. Answers its id. */
export async function startScripted({ service, at, repoId, scripts }: StartScripted): Promise<number> {
  const body = {
    prompt: 'Work',
    repo_id: repoId,
    agent_type: 'scripted',
    create_pull_request: true,
    metadata: { scripts },
  }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}
