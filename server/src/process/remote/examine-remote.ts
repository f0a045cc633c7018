import type { Config } from '#base/config/config.ts'
import { describeDisks, describeProcess, linesOf, type Looked } from '#process/describe-machine.ts'
import { describeSandbox } from '#process/describe-sandbox.ts'
import { dialService, wrongToken, wrongTokenStatus, type ServiceAddress } from './dial-service.ts'
import { openMachine } from './open-machine.ts'

/** What holds on the machine of a remote worker, and whether the service lets it in. It knows no database, and looks at none. */
export async function examineRemote(config: Config): Promise<void> {
  const { address, sandboxes, temporaryFolder } = openMachine(config, { role: 'doctor' })
  const looked = [await describeService(address), await describeDisks({ config, temporaryFolder })]
  const probed = await sandboxes.probe()
  const lines = [...describeProcess(config), ...looked.flatMap(linesOf), ...describeSandbox(sandboxes.name, probed)]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (!probed.isolated || looked.some(({ problems }) => problems.length > 0)) process.exitCode = 1
  await sandboxes.close()
}

/** Connects as a worker does, and leaves before the service asks who it is. */
async function describeService(address: ServiceAddress): Promise<Looked> {
  const { serviceUrl } = address
  const socket = dialService(address)
  const problem = await new Promise<string | undefined>((resolve) => {
    socket.once('open', () => resolve(undefined))
    socket.once('unexpected-response', (_request, { statusCode: status }) =>
      resolve(
        status === wrongTokenStatus
          ? wrongToken
          : `Something answers there with status ${status}, and takes no remote workers now. Does what stands in front of the service pass WebSockets on?`,
      ),
    )
    socket.on('error', ({ message }) => resolve(`It cannot be reached: ${message}`))
  })
  socket.terminate()
  if (problem === undefined) return { line: `Service: ${serviceUrl} lets this worker in`, problems: [] }
  return { line: `Service: ${serviceUrl}`, problems: [problem] }
}
