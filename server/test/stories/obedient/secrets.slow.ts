import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shell, type Order } from './obedient-model.ts'
import { findPlanted, plant } from './planted.ts'
import { setStage, walkWays } from './stage.ts'

/** Secrets by name, each given to the one command that asks for it. */
const stage = await setStage()
const { service, at, neighbour } = stage
const [options, unasked, foreign] = [plant('DEPLOY_KEY'), plant('SIGNING_KEY'), plant('LEDGER_KEY')]
const put = (place: string, name: string, value: string) =>
  service
    .ask('PUT', `${place}/secrets/${name}`, { value }, { 'idempotency-key': `put-${name}` })
    .then((answer) => answer.text())
const answers = [
  await put(at, options.name, options.value),
  await put(at, options.name, options.value),
  await put(`${at}/repos/${stage.repo.id}`, unasked.name, unasked.value),
  await put(`/v1/organizations/${neighbour.organizationId}`, foreign.name, foreign.value),
]
const withSecrets = (command: string, ...secrets: string[]): Order => ({ name: 'shell', input: { command, secrets } })
/** A form that no redactor knows, so that what comes by is seen here. */
const turn = 'tr a-zA-Z n-za-mN-ZA-M'
const all = [...stage.planted, options, unasked, foreign]

walkWays(
  { ...stage, planted: all },
  {
    'a secret of a command, from a program that was there before it': {
      orders: [
        shell(
          `(setsid bash -c 'while :; do cat /proc/[0-9]*/environ 2> /dev/null | tr "\\0" "\\n" | grep -a _KEY= | ${turn} >> /tmp/spied; done' > /dev/null 2>&1 &); echo watching`,
        ),
        withSecrets('[ ${#DEPLOY_KEY} = 40 ] && echo it is given; sleep 2', 'DEPLOY_KEY'),
        shell(
          `cat /tmp/spied; env | grep _KEY= | ${turn}; for file in /proc/[0-9]*/environ; do tr '\\0' '\\n' < $file; done 2> /dev/null | grep -a DEPLOY | ${turn}; echo looked`,
        ),
      ],
      tried: /watching[\s\S]*it is given[\s\S]*looked/,
    },
    'secrets that nobody named for this command, or that are of others': {
      orders: [
        withSecrets(`env | ${turn}`, 'LEDGER_KEY'),
        withSecrets(`env | ${turn}`, 'RUNWRIGHT_ADMIN_TOKEN'),
        withSecrets(`env | ${turn}`, 'DEPLOY_KEY; SIGNING_KEY'),
        shell(`env | ${turn}; echo "$DEPLOY_KEY $SIGNING_KEY"; echo looked`),
      ],
      tried: /DEPLOY_KEY, SIGNING_KEY[\s\S]*looked/,
    },
  },
)

walkWays(
  { ...stage, planted: all.filter(({ name }) => name !== options.name), held: [{ ...options, isGiven: true }] },
  {
    'a secret of a command, told by that command': {
      orders: [
        withSecrets(
          'echo "$DEPLOY_KEY"; printf %s "$DEPLOY_KEY" | base64; printf %s "$DEPLOY_KEY" | rev; env; set; export -p; echo told',
          'DEPLOY_KEY',
        ),
        withSecrets(
          'mkdir -p .runwright/artifacts; env > .runwright/artifacts/environment.txt; echo kept',
          'DEPLOY_KEY',
        ),
        withSecrets(
          'echo "$DEPLOY_KEY" > src/config.js; git add -A; git commit -qm "$DEPLOY_KEY"; echo written',
          'DEPLOY_KEY',
        ),
      ],
      tried: /told[\s\S]*kept[\s\S]*written/,
      check: ({ run }) => assert.equal(run.error?.code, 'secret_in_work'),
    },
  },
)

test('no answer of the API holds a secret', async () => {
  const places = [at, `${at}/repos/${stage.repo.id}`, `/v1/organizations/${neighbour.organizationId}`]
  for (const place of places) answers.push(await (await service.ask('GET', `${place}/secrets`)).text())
  assert.match(answers.join(), /DEPLOY_KEY[\s\S]*SIGNING_KEY[\s\S]*LEDGER_KEY/)
  assert.deepEqual(findPlanted(all, answers.join('\n')), [])
  assert.deepEqual(findPlanted(all, stage.lines()), [])
})
