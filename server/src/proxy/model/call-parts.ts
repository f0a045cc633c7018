import type { Json, JsonObject } from '#base/json.ts'
import { CallRefused } from './refuse-call.ts'

export const isGiven = (value: Json | undefined): value is Json =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

export const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

export const refused = (message: string) => new CallRefused({ status: 400, code: 'invalid_request_error', message })
