import type { Octokit } from '@octokit/core'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { checkAnswer } from './check-answer.ts'

/** Later ones leave out fields that are read here. */
const apiVersion = '2022-11-28'

/** The requests of an Octokit, in the version of the API that is read here. What is answered well but is no JSON is an error. */
export function requestJson(octokit: Octokit): Octokit['request'] {
  octokit.hook.after('request', ({ status, data, headers }, sent) => {
    if (status >= 300 || status === 204) return
    if (typeof data !== 'string' || data.trim() === '') return checkAnswer(data, sent)
    const isPage = /^text\/html\b/i.test(headers['content-type'] ?? '') || data.trimStart().startsWith('<')
    throw new HostError('unavailable', isPage ? pageMessage : 'The host answered with something other than JSON.')
  })
  return octokit.request.defaults({ headers: { 'x-github-api-version': apiVersion } })
}

const pageMessage =
  'The host answered with a web page instead of JSON. Check the address of the integration, and whether a proxy or a sign-in page is in front of the host.'
