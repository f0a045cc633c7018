import { fillSecrets } from './fill-secrets.ts'
import type { McpServer } from './mcp-server.ts'

export type Target = {
  name: string
  place:
    | { kind: 'remote'; url: string; headers: Record<string, string> }
    | { kind: 'local'; command: string[]; env: Record<string, string>; isSecret: boolean }
}

/** Where a server is, with the secrets that it names; `fault`: why that cannot be said. */
export function readTarget(
  { name, url, headers, command, env }: McpServer,
  secrets: readonly { name: string; value: string }[],
): Target | { fault: string } {
  const { values, missing, hasSecrets } = fillSecrets(url === null ? env : headers, secrets)
  if (missing.length > 0) return { fault: `there is no secret ${missing.join(', ')}.` }
  const broken =
    url === null ? undefined : Object.entries(values).find(([, value]) => /[^\t\x20-\x7e\x80-\xff]/.test(value))
  if (broken) return { fault: `the header ${broken[0]} has characters that no header may have.` }
  if (url !== null) return { name, place: { kind: 'remote', url, headers: values } }
  return { name, place: { kind: 'local', command: command ?? [], env: values, isSecret: hasSecrets } }
}
