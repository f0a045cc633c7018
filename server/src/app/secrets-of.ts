import type { Config } from '#base/config/config.ts'
import { splitHosts } from '#base/network/database-hosts.ts'

export function secretsOf(config: Config, databaseUrl: string): { name: string; value: string }[] {
  const { anthropic, openai, google } = config.model
  const password = decodeURIComponent(new URL(splitHosts(databaseUrl)[0] ?? '').password)
  const known = {
    RUNWRIGHT_ADMIN_TOKEN: config.adminToken?.reveal(),
    RUNWRIGHT_SECRET_KEY: config.secretKey?.reveal(),
    RUNWRIGHT_SECRET_KEY_PREVIOUS: config.previousSecretKey?.reveal(),
    RUNWRIGHT_SECRET_KEY_NEXT: config.nextSecretKey?.reveal(),
    RUNWRIGHT_WORKER_TOKEN: config.workerToken?.reveal(),
    RUNWRIGHT_OIDC_CLIENT_SECRET: config.openId?.clientSecret.reveal(),
    DATABASE_PASSWORD: password,
    ANTHROPIC_API_KEY: anthropic?.apiKey?.reveal(),
    OPENAI_API_KEY: openai?.apiKey?.reveal(),
    GOOGLE_API_KEY: google?.apiKey?.reveal(),
    ...(config.blobs.kind === 's3' && {
      RUNWRIGHT_S3_ACCESS_KEY_ID: config.blobs.accessKeyId.reveal(),
      RUNWRIGHT_S3_SECRET_ACCESS_KEY: config.blobs.secretAccessKey.reveal(),
    }),
  }
  return Object.entries(known).flatMap(([name, value]) => (value ? [{ name, value }] : []))
}
