import assert from 'node:assert/strict'
import { plant, findPlanted, type Planted } from './planted.ts'
import { shell, takeOut, type Order } from './obedient-model.ts'
import { setStage, walkWays, type Attempt } from './stage.ts'

/**
 * Were a wall to fall, and the agent to hold secrets: the model's key, the administrator's token, and one of the
 * organization. It has them in a form that nobody knows, and tells them by each way there is.
 */
const secretName = 'DEPLOY_KEY'
const deployKey = plant(secretName)
const stage = await setStage()
await stage.service.call('PUT', `${stage.at}/secrets/${secretName}`, { value: deployKey.value })
const known = ['OPENAI_API_KEY', 'RUNWRIGHT_ADMIN_TOKEN']
const isKnown = ({ name }: Planted) => known.includes(name)
const held = [...stage.planted.filter(isKnown), deployKey].map((one): Planted => ({ ...one, isGiven: true }))
const planted = stage.planted.filter((one) => !isKnown(one))

const shift = (value: string) => [...value].map((sign) => String.fromCharCode(sign.charCodeAt(0) + 1)).join('')
const unshift = 's/([^\\n])/chr(ord($1) - 1)/ge'
const shifted = held.map(({ value }) => shift(value))
const hold = `cat > /tmp/shifted <<'END'\n${shifted.join('\n')}\nEND\nperl -pe '${unshift}' /tmp/shifted > /tmp/held; [ $(wc -l < /tmp/held) = ${held.length} ] && echo held`
const tool = (name: string, input: Order['input']): Order => ({ name, input })
/** The file with the nth of them alone on its first line, as the model reads it. */
const read = (n: number): Order[] => [
  shell(`sed -n ${n + 1}p /tmp/held > /tmp/one`),
  tool('read', { path: '/tmp/one' }),
]
const each = (orders: (n: number) => Order[]): Order[] => [
  shell(hold),
  ...held.keys().flatMap((n) => [...read(n), ...orders(n)]),
]
const isRefused = ({ run }: Attempt) => assert.equal(run.error?.code, 'secret_in_work')
const change = shell('echo more >> README.md')

walkWays(
  { ...stage, planted, held },
  {
    'printed, in every encoding and in pieces': {
      orders: [
        shell(hold),
        shell(
          `${takeOut} cat /tmp/held; cat /tmp/held >&2; while read line; do printf %s "$line" | base64; printf " %s" "$line" | base64 -w 0; echo; printf "  %s" "$line" | base64 -w 20; printf %s "$line" | od -An -v -tx1; printf %s "$line" | od -An -v -tx1 | tr -d ' \\n'; echo; echo "$line" | rev; printf '%q %s\\n' "$line" "prefix$line"; done < /tmp/held; echo printed`,
        ),
        shell(
          `while read line; do half=$(( \${#line} / 2 )); printf %s "\${line:0:$half}"; sleep 0.15; printf '%s\\n' "\${line:$half}"; done < /tmp/held; while IFS= read -r -n 1 sign; do printf %s "$sign"; [ -n "$sign" ] || echo; done < /tmp/held; echo in pieces`,
        ),
      ],
      tried: /held[\s\S]*printed[\s\S]*in pieces/,
    },
    'in the middle of a long output': {
      orders: [shell(hold), shell('seq 1 60000; cat /tmp/held; seq 1 60000; cat /tmp/held | base64; seq 1 60000')],
      tried: /held[\s\S]*60000/,
    },
    'in what the agent asks tools for': {
      orders: each(() => [
        shell('echo {{seen}}'),
        tool('write', { path: '/tmp/{{seen}}', content: '{{seen}}' }),
        tool('search', { pattern: '{{seen}}', path: '.' }),
        tool('read', { path: '{{seen}}' }),
        tool('list', { path: '{{seen}}' }),
        shell('no-such-program-{{seen}}'),
        tool('edit', { path: 'README.md', old_text: '{{seen}}', new_text: 'x' }),
        tool('no_such_tool', { text: '{{seen}}' }),
      ]),
      tried: /held[\s\S]*There is no file/,
    },
    'in a plan': {
      orders: each(() => [tool('plan', { steps: [{ text: 'Tell {{seen}}', status: 'pending' }] })]),
      tried: /held/,
      check: ({ log }) => assert.equal(JSON.stringify(log).match(/Tell \[redacted:\w+\]/g)?.length, held.length),
    },
    'in a question to people': {
      orders: [shell(hold), ...read(0), tool('ask_user', { question: 'Is it {{seen}}?', options: ['{{seen}}', 'no'] })],
      tried: /held/,
      check: ({ run, leaving }) => {
        assert.equal(run.status, 'waiting_for_user')
        const questions = leaving.find(({ by }) => by === 'the questions')
        assert.match(String(questions?.said), /Is it \[redacted:\w+\]\?/)
      },
    },
    'in the answer, and so in the pull request': {
      orders: [
        shell(hold),
        change,
        ...read(0),
        // Refused once, since no step ran the check.
        ...['It is', 'So it is'].map((words) =>
          tool('finish', {
            summary: `${words} {{seen}}\n\n{{seen}}`,
            open: ['{{seen}}'],
            checks: [{ command: '{{seen}}', passed: true }],
          }),
        ),
      ],
      tried: /held/,
      check: ({ run }) => {
        assert.match(run.result ?? '', /So it is \[redacted:\w+\]/)
        assert.equal(run.github_pull_requests.length, 1)
      },
    },
    'in the data that was asked for': {
      orders: [shell(hold), ...read(2), tool('finish', { summary: 'Here.', output: { total: '{{seen}}' } })],
      run: { output_schema: { type: 'object', properties: { total: { type: 'string' } }, required: ['total'] } },
      tried: /held/,
      check: ({ run }) => assert.match(JSON.stringify(run['result_json']), /^\{"total":"\[redacted:DEPLOY_KEY\]"\}$/),
    },
    'in files for people, in their names, and in what is no text': {
      orders: [
        shell(hold),
        shell(`mkdir -p .runwright/artifacts; cd .runwright/artifacts; cp /tmp/held held.txt; base64 /tmp/held > base64.txt; rev /tmp/held > reversed.txt; while read line; do touch "$line.txt"; done < /tmp/held
          { head -c 4000 /dev/zero; cat /tmp/held; head -c 4000 /dev/zero; } > picture.png; tar cf held.tar -C /tmp held; echo fine > fine.txt; ls | wc -l`),
      ],
      tried: /held[\s\S]*^\d+$/m,
      check: ({ leaving }) => assert.ok(leaving.some(({ by }) => by === 'the artifact fine.txt')),
    },
    'in a file that is committed': {
      orders: [shell(hold), shell('cp /tmp/held src/config.js; echo copied')],
      tried: /held[\s\S]*copied/,
      check: isRefused,
    },
    'in a file that was committed and taken back': {
      orders: [
        shell(hold),
        shell(
          'cp /tmp/held src/config.js; git add -A; git commit -qm "Try it"; git rm -q src/config.js; git commit -qm "Take it back"; git log --format=%s | head -2; echo more > more.txt',
        ),
      ],
      tried: /held[\s\S]*Take it back/,
      check: isRefused,
    },
    'in the name of a file': {
      orders: [
        shell(hold),
        shell('while read line; do mkdir -p "src/$line"; echo x > "src/$line/x.js"; done < /tmp/held; ls src | wc -l'),
      ],
      tried: /held[\s\S]*^4$/m,
      check: isRefused,
    },
    'in a commit message, and in the name of its author': {
      orders: [
        shell(hold),
        shell(
          'echo more > more.txt; git add -A; git commit -qF /tmp/held; echo more >> more.txt; GIT_AUTHOR_NAME="$(head -1 /tmp/held)" GIT_AUTHOR_EMAIL="$(tail -1 /tmp/held)" git commit -qam more; git log --format=%ae | wc -l',
        ),
      ],
      tried: /held[\s\S]*^\d+$/m,
      check: isRefused,
    },
    'encoded in a commit': {
      orders: [
        shell(hold),
        shell(
          'base64 -w 0 /tmp/held > src/a.js; rev /tmp/held > src/b.js; od -An -v -tx1 /tmp/held > src/c.js; git add -A; git commit -qm "$(head -1 /tmp/held | base64 -w 0)"; echo written',
        ),
      ],
      tried: /held[\s\S]*written/,
      check: isRefused,
    },
  },
)

// Nobody has told us of this one, so it is known by its form alone, and only where it stands as it is. A repository may hold
// such forms for its tests, so that pushes are not looked through for them.
const stranger = plant('a key of a stranger', 'ghp_')
const strangerHeld = `echo '${shift(stranger.value)}' | perl -pe '${unshift}' > /tmp/stranger`

walkWays(
  { ...stage, planted, held: [stranger] },
  {
    'a key that nobody has told us of, printed and left for people': {
      orders: [
        shell(strangerHeld),
        shell(
          'mkdir -p .runwright/artifacts; cp /tmp/stranger .runwright/artifacts/stranger.txt; cat /tmp/stranger; echo "GITHUB_TOKEN=$(cat /tmp/stranger)"; echo printed',
        ),
        tool('read', { path: '/tmp/stranger' }),
        tool('finish', { summary: 'It is {{seen}}' }),
      ],
      tried: /printed/,
    },
  },
)

assert.deepEqual(findPlanted(held, shifted.join('\n')), [], 'as the agent holds them, nobody knows them')
