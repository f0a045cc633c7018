import type { HttpApp } from './deps.ts'
import { isEncrypted } from './session-cookie.ts'

/** What a browser may do with an answer that is no page: nothing. Pages say for themselves what they need. */
const nothingAllowed = "default-src 'none'; frame-ancestors 'none'"

const unusedFeatures = ['accelerometer', 'camera', 'display-capture', 'geolocation', 'gyroscope', 'microphone', 'midi']
const moreUnusedFeatures = ['payment', 'publickey-credentials-get', 'serial', 'usb', 'screen-wake-lock']

const always = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': nothingAllowed,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'permissions-policy': [...unusedFeatures, ...moreUnusedFeatures].map((feature) => `${feature}=()`).join(', '),
}

/** Of this host alone: what is below it is not ours. */
const overEncryptedLines = { ...always, 'strict-transport-security': 'max-age=31536000' }

/** On every answer of ours, whoever asks. */
export function securityHeaders(app: Pick<HttpApp, 'publicUrl'>): Record<string, string> {
  return isEncrypted(app) ? overEncryptedLines : always
}
