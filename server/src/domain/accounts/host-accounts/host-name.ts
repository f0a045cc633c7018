/** Identities of one installation of a host's software are not those of another. */
export function hostName({ kind, baseUrl }: { kind: string; baseUrl: string | null }): string {
  return baseUrl === null ? kind : `${kind}:${new URL(baseUrl).host}`
}
