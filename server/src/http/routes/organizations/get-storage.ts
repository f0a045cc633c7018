import { getStorage } from '#domain/accounts/storage/get-storage.ts'
import { storageKinds } from '#domain/accounts/storage/storage.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const getStorageRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/storage`,
  operationId: 'getStorage',
  tag: 'Organizations',
  summary: 'Get storage use and limits',
  description:
    'Storage use in bytes, by kind, with the largest repositories. Anything that would exceed a limit is refused (`storage_full`). The operator sets the limits. An ADMIN can lower the limit of the organization.',
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 200, description: 'Storage use and limits.', component: 'Storage' },
  handle: async ({ db, params }) => {
    const { used, bytesMax, repoBytesMax, runBytesMax, logBytesMax, repos } = await getStorage(db, {
      organizationId: params.org_id,
    })
    return {
      bytes: used.bytes,
      bytes_max: bytesMax,
      kinds: storageKinds.map((kind) => ({ kind, bytes: used[kind] })),
      repo_bytes_max: repoBytesMax,
      run_bytes_max: runBytesMax,
      log_bytes_max: logBytesMax,
      repos: repos.map(({ id, name, bytes }) => ({ repo_id: id, name, bytes })),
    }
  },
})
