import { webUrl } from './web-url.ts'

/** By which GitHub knows whose commit it is. Nobody reads what is sent there. */
export function noreplyOf(baseUrl: string | null, { id, login }: { id: string; login: string }): string {
  return `${id}+${login}@users.noreply.${new URL(webUrl(baseUrl)).hostname}`
}
