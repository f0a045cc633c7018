import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { claudeCode } from '#adapters/engines/acp/agents/claude-code.ts'
import { codex } from '#adapters/engines/acp/agents/codex.ts'
import { openAcp } from '#adapters/engines/acp/open-acp.ts'
import { openLogger } from '#base/logger.ts'
import { claimInstall } from '#domain/runs/engine-installs/claim-install.ts'
import { listInstalls } from '#domain/runs/engine-installs/list-installs.ts'
import { orderInstall } from '#domain/runs/engine-installs/order-install.ts'
import { testDb } from '#test/test-db.ts'
import { installEngines } from './install-engines.ts'

const db = await testDb()
const base = mkdtempSync(path.join(os.tmpdir(), 'engines-'))
after(() => rmSync(base, { recursive: true, force: true }))
const logger = openLogger({ level: 'silent' })
const bin = path.resolve(import.meta.dirname, '../../../test/programs/npm')

/** A machine whose npm is the one of tests, which fails where it is told to. */
function openMachine(place: string, fail?: string) {
  const folder = path.join(base, place)
  const npmEnvironment = { PATH: `${bin}:${process.env.PATH}`, ...(fail && { npm_config_fail: fail }) }
  const engines = new Map(
    [claudeCode, codex].map((spec) => [
      spec.name,
      openAcp(spec, { folder: path.join(folder, spec.name), models: {}, npmEnvironment }),
    ]),
  )
  return { folder, look: () => installEngines({ pool: db, engines, place, logger }) }
}

const newest = '@agentclientprotocol/claude-agent-acp 0.101.0'
const stateOf = async (engine: string) =>
  (await listInstalls(db))
    .filter((install) => install.engine === engine)
    .map(({ version, problem, isInstalling }) => ({ version, problem, isInstalling }))
const both = <One>(one: One): One[] => [one, one]
const clear = () => db.query('truncate engine_orders, engine_installs')

test('what was asked for is installed on every machine, once each, and each says what it has', async () => {
  const [one, other] = [openMachine('one'), openMachine('other')]
  await one.look()
  await other.look()
  const nothing = { version: null, problem: null, isInstalling: false }
  assert.deepEqual(await stateOf('claude_code'), [nothing, nothing])
  await orderInstall(db, { engine: 'claude_code' })
  assert.deepEqual(await stateOf('claude_code'), both({ ...nothing, isInstalling: true }))
  await one.look()
  await other.look()
  assert.deepEqual(await stateOf('claude_code'), both({ ...nothing, version: newest }))
  assert.deepEqual(await stateOf('codex'), [nothing, nothing])
  rmSync(path.join(one.folder, 'claude_code'), { recursive: true })
  await one.look()
  assert.deepEqual(await stateOf('claude_code'), [nothing, { ...nothing, version: newest }], 'and it is not done again')
})

test('why it could not be installed is told, and it is tried again when somebody asks again', async () => {
  await clear()
  const machine = openMachine('without', 'there is no such package')
  await machine.look()
  await orderInstall(db, { engine: 'claude_code' })
  await machine.look()
  const [failed] = await stateOf('claude_code')
  assert.match(failed?.problem ?? '', /npm could not install it:\s+npm error code E404: there is no such package/)
  assert.deepEqual([failed?.version, failed?.isInstalling], [null, false])
  assert.deepEqual(readdirSync(machine.folder), [], 'nothing is left of it')
  const fixed = openMachine('without')
  await fixed.look()
  assert.notEqual((await stateOf('claude_code'))[0]?.problem, null)
  await orderInstall(db, { engine: 'claude_code' })
  await fixed.look()
  assert.deepEqual(await stateOf('claude_code'), [{ version: newest, problem: null, isInstalling: false }])
})

test('npm that installs something else is a failure, and what was there stays', async () => {
  await clear()
  const machine = openMachine('odd')
  await machine.look()
  await orderInstall(db, { engine: 'codex' })
  await machine.look()
  assert.match((await stateOf('codex'))[0]?.problem ?? '', /there may be none for this machine/)
})

test('processes that share a folder do not install it twice, and one goes on when another was killed', async () => {
  await clear()
  const machine = openMachine('shared')
  await machine.look()
  await orderInstall(db, { engine: 'claude_code' })
  const claim = () => claimInstall(db, { place: 'shared', engines: ['claude_code'] })
  assert.equal(await claim(), 'claude_code')
  assert.equal(await claim(), undefined)
  await machine.look()
  assert.deepEqual(await stateOf('claude_code'), [{ version: null, problem: null, isInstalling: true }])
  // It was killed: nobody prolongs its claim, and a part of what it made is left.
  const left = path.join(machine.folder, '.claude_code-0a1b2c3d')
  mkdirSync(left, { recursive: true })
  writeFileSync(path.join(left, 'package.json'), '{')
  const longAgo = Date.now() / 1_000 - 86_400
  utimesSync(left, longAgo, longAgo)
  await db.query(`update engine_installs set claimed_until = now() - interval '1 second' where engine = 'claude_code'`)
  await machine.look()
  assert.deepEqual(await stateOf('claude_code'), [{ version: newest, problem: null, isInstalling: false }])
  assert.deepEqual(readdirSync(machine.folder), ['claude_code'])
})
