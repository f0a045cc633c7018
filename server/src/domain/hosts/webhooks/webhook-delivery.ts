/** What a code host has sent to an integration's address, claimed to be read; `tries` counts this one too, and names the claim. */
export type WebhookDelivery = {
  organizationId: number
  id: number
  integrationId: number
  event: string
  body: Buffer
  tries: number
}
