import { expect, onTestFinished, test } from 'bun:test'
import { chownSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backupDirectory } from '../../src/backup/files.ts'
import { readEnvironment, variableNames } from '../../src/environment.ts'
import { openDatabase } from '../../src/database/database.ts'
import { debianProgram } from '../support/debian.ts'
import { dataDirectory, emptyDatabase, launch, SPAWN_MS, spawnParley } from '../support/spawned.ts'
import { selfSigned } from '../support/turn-client.ts'

const root = join(import.meta.dir, '../..')
const NOBODY = 65_534

/** A file of this clone. */
const file = (name: string) => readFileSync(join(root, name), 'utf8')

/** setpriv's options that make a program run as nobody. */
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']

/**
 * A copy of this clone that root owns and everybody may read, with Bun as `programs/bun`: the running Bun may be in a
 * private directory. Packages are links to this clone's, which others may be unable to read.
 */
function copyOfClone(): string {
  // Not below the directory of the tests' files, which only root may enter.
  const copy = mkdtempSync('/tmp/clone-')
  onTestFinished(() => rmSync(copy, { recursive: true }))
  const script = `cp -a bunfig.toml bun.lock package.json tsconfig.json patches sql docs src "$1"
    if ${AS_NOBODY.join(' ')} test -r "$PWD/node_modules/postgres/package.json"; then ln -s "$PWD/node_modules" "$1"
    else cp -a node_modules "$1"; fi
    mkdir "$1/programs" && cp "$2" "$1/programs/bun"
    chown -R 0:0 "$1"; chmod -R go+rX "$1"`
  const { exitCode } = Bun.spawnSync(['sh', '-c', script, 'sh', copy, process.execPath], { cwd: root })
  if (exitCode !== 0) throw new Error('The clone cannot be copied')
  return copy
}

const canBecomeNobody =
  process.getuid?.() === 0 &&
  Bun.spawnSync([...AS_NOBODY, process.execPath, '--version'], {
    stdio: ['ignore', 'ignore', 'ignore'],
  }).success
if (!canBecomeNobody) console.error('SKIPPED LOUDLY: the test of a service user needs root and setpriv')

test.if(canBecomeNobody)(
  '`bun start` starts the server as a user who may not write the clone',
  async () => {
    const home = mkdtempSync('/tmp/service-')
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    chownSync(home, NOBODY, NOBODY)
    const clone = copyOfClone()
    const child = Bun.spawn([...AS_NOBODY, join(clone, 'programs/bun'), 'start'], {
      cwd: clone,
      env: {
        PATH: `${join(clone, 'programs')}:${process.env.PATH}`,
        HOME: '/nonexistent',
        DATA_DIR: join(home, 'data'),
        DATABASE_URL: 'postgres://parley@127.0.0.1:1/parley',
        TURN_PORT: 'off',
        MEDIA_WORKER: 'off',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Its database is unreachable, and this server says so.
    expect(await new Response(child.stderr).text()).toContain('\nDATABASE_URL is not usable')
    expect(await child.exited).toBe(1)
  },
  SPAWN_MS,
)

test.if(process.getuid?.() === 0)('a directory of backups that root makes belongs to the owner of DATA_DIR', () => {
  const DATA_DIR = mkdtempSync(join(tmpdir(), 'owned-'))
  chownSync(DATA_DIR, NOBODY, NOBODY)
  const ownerOf = (path: string) => [statSync(path).uid, statSync(path).gid]
  const directory = backupDirectory({ DATA_DIR, BACKUP_DIR: undefined })
  expect([directory, statSync(directory).mode & 0o777]).toEqual([join(DATA_DIR, 'backups'), 0o700])
  expect(ownerOf(directory)).toEqual([NOBODY, NOBODY])
  // Older files, and a directory that the operator names, stay unchanged.
  chownSync(directory, 0, 0)
  const named = backupDirectory({ DATA_DIR, BACKUP_DIR: join(DATA_DIR, 'named') })
  for (const path of [backupDirectory({ DATA_DIR, BACKUP_DIR: undefined }), named])
    expect(ownerOf(path)).toEqual([0, 0])
})

test(
  'without a terminal the start-up lines are JSON like the log, and name where the server listens',
  async () => {
    const DATABASE_URL = await emptyDatabase('service')
    const { output, child, parley } = await spawnParley(dataDirectory(), { RATE_LIMITS: 'off', DATABASE_URL })
    child.kill('SIGTERM')
    const error = await new Response(child.stderr).text()
    expect(await child.exited).toBe(0)
    const line = JSON.parse(output)
    expect(line).toMatchObject({ level: 'info', event: 'listening', url: parley.url, docs: `${parley.url}/docs` })
    expect(line.message).toStartWith(`Parley listens on ${parley.url} · docs at `)
    expect(JSON.parse(error)).toMatchObject({ level: 'warn', event: 'limits.off' })
  },
  SPAWN_MS,
)

test(
  'the image’s health check passes over HTTP and over TLS, and fails when nothing answers',
  async () => {
    const [, program = ''] = /HEALTHCHECK[\s\S]*?CMD (\[.*\])/.exec(file('Dockerfile')) ?? []
    const [bun, ...rest]: string[] = JSON.parse(program)
    expect(bun).toBe('bun')
    const check = async (env: Record<string, string>) => {
      const child = Bun.spawn([process.execPath, ...rest], { env, stdio: ['ignore', 'ignore', 'ignore'] })
      return child.exited
    }
    const directory = mkdtempSync(join(tmpdir(), 'health-'))
    const { TURN_TLS_CERT: TLS_CERT, TURN_TLS_KEY: TLS_KEY } = selfSigned(directory, 'chat.example.org')
    const DATABASE_URL = await emptyDatabase('health')
    const both: Record<string, string>[] = [{}, { TLS_CERT, TLS_KEY }]
    for (const variables of both) {
      const { child, parley } = await spawnParley(dataDirectory(), { ...variables, DATABASE_URL })
      const PORT = new URL(parley.url).port
      expect(await check({ PORT, ...variables })).toBe(0)
      child.kill('SIGTERM')
      await child.exited
      expect(await check({ PORT, ...variables })).toBe(1)
    }
  },
  2 * SPAWN_MS,
)

const analyze = debianProgram('systemd-analyze', 'systemd')

for (const name of ['parley.service', 'parley@.service'])
  test.if(analyze !== undefined)(`deploy/${name} is a valid unit, and exposes little of the machine`, () => {
    const unit = join(mkdtempSync(join(tmpdir(), 'unit-')), name.replace('@', '@1'))
    const text = file(`deploy/${name}`)
    expect(text).toContain('ExecStart=/usr/local/bin/parley\n')
    writeFileSync(unit, text.replace('/usr/local/bin/parley', process.execPath))
    const run = (...words: string[]) => {
      const { exitCode, stdout, stderr } = Bun.spawnSync([analyze ?? '', ...words, unit])
      return { exitCode, text: `${stdout}${stderr}` }
    }
    expect(run('verify', '--man=no')).toEqual({ exitCode: 0, text: '' })
    const { exitCode, text: output } = run('security', '--offline=yes', '--threshold=20')
    const level = expect.stringMatching(/Overall exposure level for parley(@1)?\.service: 1\./)
    expect([exitCode, output]).toEqual([0, level])
  })

test('three processes of deploy/parley@.service have settings that the server takes, and share no port', () => {
  const unit = file('deploy/parley@.service')
  const ports = [1, 2, 3].flatMap((n) => {
    const lines = [...unit.matchAll(/^Environment=(.*)$/gm)].map(([, line = '']) => line.replaceAll('%i', `${n}`))
    const variables = Object.fromEntries(lines.flatMap((line) => line.split(' ')).map((pair) => pair.split('=')))
    const { TURN_RELAY_PORTS, ...settings } = readEnvironment(variables)
    expect(TURN_RELAY_PORTS).toBeDefined()
    const { PORT, TURN_PORT, TURN_TLS_PORT, SFU_PORT, DISCORD_VOICE_PORT } = settings
    return [PORT, TURN_PORT, TURN_TLS_PORT, SFU_PORT, DISCORD_VOICE_PORT, variables.TURN_RELAY_PORTS]
  })
  expect(new Set(ports.map(String)).size).toBe(ports.length)
  const common = (text: string) => text.slice(text.indexOf('EnvironmentFile='))
  expect(common(unit)).toBe(common(file('deploy/parley.service')))
  const proxy = file('deploy/haproxy.cfg')
  for (const n of [1, 2, 3]) expect(proxy).toContain(`127.0.0.1:300${n}\n`)
})

/** Variables that compose.yaml sets itself, or rules out, by its ports, its network and its other containers. */
const GIVEN_BY_COMPOSE =
  'DATABASE_URL DATABASE_PASSWORD DATABASE_REPLICA_URLS REDIS_URL REDIS_CLUSTER ' +
  'REDIS_SENTINELS REDIS_MASTER REDIS_SENTINEL_PASSWORD ' +
  'SFU_ANNOUNCED_ADDRESS SFU_LINK_ADDRESS SFU_PEERS_PER_WORKER SFU_PORT SFU_WORKERS ' +
  'TURN_PORT TURN_TLS_PORT TURN_RELAY_PORTS DISCORD_VOICE_PORT ' +
  'WAL_ARCHIVE WAL_ARCHIVE_BASE_EVERY WAL_ARCHIVE_DAYS WAL_ARCHIVE_PENDING_BYTES_MAX'
const GIVEN_BY_IMAGE = 'PORT HOST DATA_DIR MEDIA_DIR MEDIA_WORKER_URL MEDIASOUP_WORKER_BIN'
/** Variables of tests, and of the import. */
const NOT_FOR_SERVERS =
  'RATE_LIMITS PREVIEW_ALLOWED_ADDRESSES PUSH_ALLOWED_ADDRESSES DISCORD_TOKEN DISCORD_API_URL DISCORD_CDN_URL'

interface Service {
  image?: string
  environment: Record<string, string>
  stop_grace_period?: string
  logging?: { driver: string; options: Record<string, string> }
}

test('compose.yaml passes on operators’ settings, bounds every log, and gives the server time to stop', () => {
  const { services } = Bun.YAML.parse(file('compose.yaml')) as { services: Record<string, Service> }
  const { parley } = services
  if (!parley) throw new Error('It has the server')
  const handed = Object.keys(parley.environment).filter((name) => parley.environment[name] === `\${${name}:-}`)
  const others = variableNames.filter((name) => !handed.includes(name))
  expect(others.toSorted()).toEqual(`${GIVEN_BY_COMPOSE} ${GIVEN_BY_IMAGE} ${NOT_FOR_SERVERS}`.split(' ').toSorted())
  for (const name of Object.keys(parley.environment)) expect(variableNames).toContain(name)
  const [, section = ''] = /^## Docker\n(.*?)^## /ms.exec(file('docs/install.md')) ?? []
  expect(others.filter((name) => !section.includes(`\`${name}\``))).toEqual([])
  const [, stopS] = /STOP_SECONDS_MAX = (\d+)/.exec(file('src/commands.ts')) ?? []
  expect(Number.parseInt(parley.stop_grace_period ?? '0', 10)).toBeGreaterThan(Number(stopS))
  for (const { logging } of Object.values(services))
    expect(logging).toEqual({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '5' } })

  // Substitutes like compose: the value of a set variable, else the default.
  const environmentWith = (set: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(parley.environment).map(([name, value]) => [
        name,
        String(value).replace(/\$\{(\w+):-([^}]*)\}/, (_, variable, standard) => set[variable] || standard),
      ]),
    )
  for (const POSTGRES_PASSWORD of ['parley', 'a@b/c:d', '100%', '%41 ?#[]', 'ünïcode']) {
    const { DATABASE_URL } = readEnvironment(environmentWith({ POSTGRES_PASSWORD }))
    const { options } = openDatabase({ url: DATABASE_URL }, 1)
    expect([options.host, options.user, options.database]).toEqual([['postgres'], 'parley', 'parley'])
    expect(options.pass as unknown).toBe(POSTGRES_PASSWORD)
  }
})

test('the image names every port that compose.yaml publishes', () => {
  const { services } = Bun.YAML.parse(file('compose.yaml')) as { services: Record<string, { ports?: string[] }> }
  const [, named = ''] = /^EXPOSE (.*)$/m.exec(file('Dockerfile')) ?? []
  const exposed = named.split(' ').map((port) => /^(\d+)(?:-(\d+))?(\/\w+)?$/.exec(port) ?? [])
  const isExposed = (port: string) => {
    const [, first, last, kind = '/tcp'] = /(\d+)(?:-(\d+))?(\/\w+)?$/.exec(port) ?? []
    return exposed.some(
      ([, from, to, of = '/tcp']) =>
        of === kind && Number(from) <= Number(first) && Number(last ?? first) <= Number(to ?? from),
    )
  }
  expect(services.parley?.ports?.filter((port) => !isExposed(port))).toEqual([])
  expect(isExposed('22000:22000/udp')).toBe(false)
})

test('DATABASE_PASSWORD without DATABASE_URL keeps the server from starting', async () => {
  const child = launch(dataDirectory(), { DATABASE_PASSWORD: 'a@b' })
  expect(await new Response(child.stderr).text()).toBe('DATABASE_PASSWORD is only usable with DATABASE_URL.\n')
  expect(await child.exited).toBe(1)
})
