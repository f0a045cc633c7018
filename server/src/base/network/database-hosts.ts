/** One address for each host that `DATABASE_URL` names: as PostgreSQL's own tools take it, several with "," between them. */
export function splitHosts(databaseUrl: string): string[] {
  const [, scheme = '', login = '', hosts = '', rest = ''] =
    /^([a-z]+:\/\/)((?:[^/?#@]*@)?)([^/?#@]*)(.*)$/s.exec(databaseUrl) ?? []
  return hosts.includes(',') ? hosts.split(',').map((host) => `${scheme}${login}${host}${rest}`) : [databaseUrl]
}
