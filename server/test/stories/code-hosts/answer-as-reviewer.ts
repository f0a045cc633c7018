import type { ModelServerRequest, ScriptedReply } from '#test/model-server.ts'

const attempts =
  'git push origin HEAD:refs/heads/taken 2>&1; git push origin HEAD:main 2>&1; echo secrets: $(env | grep -c PASSPHRASE)'

/** The model of a reviewer that looks around, and tries what it may not. */
export function answerAsReviewer({ text }: ModelServerRequest): ScriptedReply {
  if (!text.includes('look-around'))
    return { calls: [{ name: 'shell', input: { command: `echo look-around; git rev-parse HEAD; ${attempts}` } }] }
  const comments = [
    {
      path: 'total.js',
      line: 1,
      body: 'A name for the filter would help.',
      suggestion: '// ```\nexport const totalOf = 0',
    },
  ]
  const output = { verdict: 'request_changes', summary: 'It begins at nothing no more.', comments }
  return { calls: [{ name: 'finish', input: { summary: 'Read.', output } }] }
}
