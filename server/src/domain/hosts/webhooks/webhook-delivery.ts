/** What a code host has sent to an integration's address. */
export type WebhookDelivery = { integrationId: number; event: string; body: Buffer }
