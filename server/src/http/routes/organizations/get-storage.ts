import { getStorage } from '#domain/storage/get-storage.ts'
import { defineRoute, organizationPath } from '#http/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getStorageRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/storage`,
  operationId: 'getStorage',
  tag: 'Organizations',
  summary: 'See what the organization stores, and how much it may',
  description:
    'In bytes, by kind, with its largest repositories. What would be more than a limit is refused (`storage_full`). Whoever runs the service sets the limits; an ADMIN may lower that of the organization.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'What is stored.', component: 'Storage' },
  handle: async ({ db, params }) => {
    const { used, bytesMax, repoBytesMax, runBytesMax, repos } = await getStorage(db, { organizationId: params.org_id })
    const { bytes, ...kinds } = used
    return {
      bytes,
      bytes_max: bytesMax,
      kinds: Object.entries(kinds).map(([kind, taken]) => ({ kind, bytes: taken })),
      repo_bytes_max: repoBytesMax,
      run_bytes_max: runBytesMax,
      repos: repos.map(({ id, name, bytes: taken }) => ({ repo_id: id, name, bytes: taken })),
    }
  },
})
