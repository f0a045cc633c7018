const words: Record<string, string> = {
  not_allowed: 'host not allowed',
  port_not_allowed: 'port not allowed',
  address_literal: 'IP addresses are not allowed',
  malformed_name: 'malformed host name',
  not_found: 'host not found',
  private_address: 'resolves to a private address',
  not_plain_http: 'not HTTP',
  credentials_in_url: 'URL contains credentials',
  host_mismatch: 'Host header differs from the address',
  unclear_length: 'ambiguous body length',
  not_tls: 'not TLS',
  server_name_missing: 'TLS without a server name',
  server_name_mismatch: 'TLS server name differs from the address',
  encrypted_client_hello: 'encrypted client hello',
  run_not_held: 'the run was no longer active',
  unreachable: 'host unreachable',
}

/** Why the network refused something, or why it failed. */
export const refusalWords = (reason: string | null): string => (reason === null ? '' : (words[reason] ?? reason))
