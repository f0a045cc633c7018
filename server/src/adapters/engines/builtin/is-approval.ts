/** What people say when they agree to a plan, in lower case, without punctuation. Anything more is a change that they ask for. */
const APPROVALS = new Set([
  'approve',
  'approved',
  'i approve',
  'yes',
  'yes please',
  'yep',
  'ok',
  'okay',
  'sure',
  'go',
  'go ahead',
  'go on',
  'do it',
  'proceed',
  'looks good',
  'looks good to me',
  'sounds good',
  'lgtm',
  '👍',
])

export function isApproval(answer: string): boolean {
  const words = answer
    .slice(0, 100)
    .toLowerCase()
    .replace(/[.,!\s]+/g, ' ')
    .trim()
  return APPROVALS.has(words) && answer.trim().length < 100
}
