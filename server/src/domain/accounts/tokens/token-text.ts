import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const prefix = 'rw_'
const ticketPrefix = 'rwt_'
const slackTokenPrefix = 'rwl_'
const sessionPrefix = 'rws_'
const workerTokenPrefix = 'rww_'
/** 178 bits: a fast hash is enough at rest. */
const randomLength = 30
const checksumLength = 6
/** The prefix, and digits as many as both. */
const shape = /^rw_[0-9A-Za-z]{36}$/

/** A new secret: `rw_`, 30 random characters, and a checksum that a secret scanner can verify by itself. */
export function newTokenText(): string {
  return `${prefix}${randomText()}`
}

/** A ticket looks like a token and is none, so it is never taken for one. */
export function newTicketText(): string {
  return `${ticketPrefix}${randomText()}`
}

/** What is sent to a bot in Slack opens nothing here. */
export function newSlackTokenText(): string {
  return `${slackTokenPrefix}${randomText()}`
}

/** What a browser's cookie holds is neither. */
export function newSessionText(): string {
  return `${sessionPrefix}${randomText()}`
}

/** What a remote worker shows opens nothing but the way for remote workers. */
export function newWorkerTokenText(): string {
  return `${workerTokenPrefix}${randomText()}`
}

export function isWorkerTokenText(text: string): boolean {
  return text.startsWith(workerTokenPrefix) && isTokenText(`${prefix}${text.slice(workerTokenPrefix.length)}`)
}

function randomText(): string {
  const random = Array.from({ length: randomLength }, () => digits[randomInt(digits.length)]).join('')
  return `${random}${checksumOf(random)}`
}

/** Whether it could be one of ours; a mistyped one is found here, without a look at the database. */
export function isTokenText(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(prefix.length, -checksumLength)
  return text.endsWith(checksumOf(random))
}

/** What of a secret may be shown, so that its owner knows it again: how it begins and how it ends. */
export function tokenEnds(text: string): [prefix: string, last4: string] {
  const shown = isTokenText(text) ? prefix : isWorkerTokenText(text) ? workerTokenPrefix : ''
  return [text.slice(0, shown.length + 4), text.slice(-4)]
}

function checksumOf(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let n = 0; n < checksumLength; n++) {
    text = `${digits[rest % digits.length]}${text}`
    rest = Math.floor(rest / digits.length)
  }
  return text
}
