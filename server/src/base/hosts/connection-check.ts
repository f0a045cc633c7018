/** What is looked at of the connection to a code host, in the order in which people read it. The values are stored. */
export const connectionCheckNames = [
  'credentials',
  'installation',
  'permissions',
  'webhooks',
  'deliveries',
  'polls',
  'jobs',
  'repositories',
] as const
export type ConnectionCheckName = (typeof connectionCheckNames)[number]

export const connectionCheckStatuses = ['ok', 'warning', 'problem'] as const

/** How one thing stands. The message and the page, where it can be fixed, are for people. */
export type ConnectionCheck = {
  name: ConnectionCheckName
  status: (typeof connectionCheckStatuses)[number]
  message: string
  url: string | null
}
