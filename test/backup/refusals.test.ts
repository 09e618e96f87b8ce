import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { done, fill, manifestOf, refused, run, startOn } from '../support/backups.ts'
import { dataDirectory, emptyDatabase, migrateDatabase, preparedDirectory } from '../support/spawned.ts'
import { stop } from '../support/harness.ts'

const LONG_MS = 300_000
/** The first damages are restored into an empty database. */
const ON_EMPTY_DATABASE = 4
const directory = mkdtempSync(join(tmpdir(), 'refusals-'))
const PASSPHRASE = join(directory, 'passphrase')
writeFileSync(PASSPHRASE, 'correct horse battery\n')
const WRONG = join(directory, 'wrong')
writeFileSync(WRONG, 'wrong horse battery\n')

let archives: Promise<{ variables: { DATA_DIR: string }; plain: string; sealed: string }> | undefined
/** A stopped installation, and backups of it. */
const backups = () =>
  (archives ??= (async () => {
    const variables = { DATA_DIR: preparedDirectory() }
    const parley = await startOn(variables)
    await fill(parley)
    const [plain, sealed] = [join(directory, 'plain'), join(directory, 'sealed')]
    await done('backup', variables, plain)
    await done('backup', { ...variables, BACKUP_PASSPHRASE_FILE: PASSPHRASE }, sealed)
    await stop(parley)
    return { variables, plain, sealed }
  })())

/** A copy of a file with a change. */
function changed(path: string, change: (bytes: Buffer) => Buffer): string {
  const copy = join(mkdtempSync(join(directory, 'changed-')), 'backup')
  writeFileSync(copy, change(readFileSync(path)))
  return copy
}
const flipped = (at: number) => (bytes: Buffer) => {
  const place = Math.floor(bytes.length * at)
  bytes[place] = (bytes[place] ?? 0) ^ 1
  return bytes
}

test(
  'a backup that is cut or has a flipped byte is refused in one sentence, and changes nothing',
  async () => {
    const { plain, sealed } = await backups()
    const DATABASE_URL = await emptyDatabase('refusals')
    const passphrase = { BACKUP_PASSPHRASE_FILE: PASSPHRASE }
    const cut = (at: number) => (bytes: Buffer) => bytes.subarray(0, Math.floor(bytes.length * at))
    const damages: [string, (bytes: Buffer) => Buffer][] = [
      [plain, cut(0.3)],
      [plain, cut(0.999)],
      [plain, flipped(0.2)],
      [plain, flipped(0.99)],
      [sealed, cut(0.3)],
      [sealed, (bytes: Buffer) => bytes.subarray(0, -1)],
      [sealed, flipped(0.5)],
      [sealed, flipped(0.999)],
    ]
    for (const [at, [path, change]] of damages.entries()) {
      // The others begin with the schema, which takes seconds to make.
      if (at === ON_EMPTY_DATABASE) await migrateDatabase(DATABASE_URL)
      const target = { DATA_DIR: dataDirectory(), DATABASE_URL, ...passphrase }
      const sentence = await refused('restore', target, changed(path, change))
      expect(sentence).toMatch(/damaged|truncated/)
      expect(existsSync(join(target.DATA_DIR, 'objects'))).toBe(false)
      expect(existsSync(join(target.DATA_DIR, 'secrets.json'))).toBe(false)
    }
    const target = { DATA_DIR: dataDirectory() }
    await refused('restore', target, changed(plain, cut(0.9)))
    expect(existsSync(target.DATA_DIR)).toBe(false)
    // No refused restore leaves anything: the same database takes the whole backup.
    await done('restore', { DATA_DIR: dataDirectory(), DATABASE_URL }, plain)
  },
  LONG_MS,
)

test(
  'rows that the database refuses are reported as damage if the backup differs from what was written',
  async () => {
    const { plain } = await backups()
    const path = changed(plain, (bytes) => {
      const tar = Buffer.from(Bun.zstdDecompressSync(bytes))
      // The first byte of the first account's id, in the block after the header of its table.
      tar.write('x', tar.indexOf('tables/users/') + 512)
      return Buffer.from(Bun.zstdCompressSync(tar))
    })
    for (const command of ['restore', 'verify'] as const) {
      const sentence = await refused(command, { DATA_DIR: dataDirectory() }, path)
      expect(sentence).toInclude('The backup is damaged: users differs from what was written.')
    }
  },
  LONG_MS,
)

test(
  'a wrong passphrase, none, another file and a target with accounts are refused, and change nothing',
  async () => {
    const { variables, plain, sealed } = await backups()
    const target = { DATA_DIR: dataDirectory() }
    expect(await refused('restore', { ...target, BACKUP_PASSPHRASE_FILE: WRONG }, sealed)).toInclude('passphrase')
    expect(await refused('restore', target, sealed)).toInclude('BACKUP_PASSPHRASE_FILE')
    expect(await refused('restore', target, PASSPHRASE)).toInclude('is not a Parley backup')
    expect(await refused('restore', target, join(directory, 'none'))).toInclude('cannot be read')
    expect(existsSync(target.DATA_DIR)).toBe(false)

    const again = join(directory, 'again')
    await done('backup', variables, again)
    expect(await refused('restore', variables, plain)).toInclude('already has accounts')
    const after = join(directory, 'after')
    await done('backup', variables, after)
    const [one, two] = [await manifestOf(again), await manifestOf(after)]
    expect({ ...two.tables, backups: 0 }).toEqual({ ...one.tables, backups: 0 } as never)
    expect(two.objects).toEqual(one.objects)

    const occupied = { DATA_DIR: dataDirectory(), DATABASE_URL: await emptyDatabase('occupied') }
    mkdirSync(join(occupied.DATA_DIR, 'objects/parley/ab'), { recursive: true })
    writeFileSync(join(occupied.DATA_DIR, 'objects/parley/ab/object'), 'bytes')
    expect(await refused('restore', occupied, plain)).toInclude('already has files')
    expect(await refused('backup', variables, plain)).toInclude('exists already')
  },
  LONG_MS,
)

test(
  'an encrypted backup holds no name in the clear and restores with its passphrase',
  async () => {
    const { sealed, plain } = await backups()
    expect(readFileSync(sealed).includes('kingfisher')).toBe(false)
    const variables = { DATA_DIR: dataDirectory(), BACKUP_PASSPHRASE_FILE: PASSPHRASE }
    await done('restore', variables, sealed)
    const own = await manifestOf(sealed, 'correct horse battery')
    expect(own.objects).toEqual((await manifestOf(plain)).objects)
  },
  LONG_MS,
)

test(
  'sessions are kept only from a backup of a stopped server, and without --no-secrets',
  async () => {
    const { variables, plain } = await backups()
    const target = { DATA_DIR: dataDirectory() }
    expect(await refused('restore', target, plain, '--keep-sessions')).toInclude('A server ran')
    const beside = `${variables.DATA_DIR}-backups`
    mkdirSync(beside)
    const bare = join(beside, 'bare')
    const output = await done('backup', variables, bare, '--no-secrets', '--objects=none')
    expect(output).toInclude('a restore invalidates relay passwords and links to files')
    expect(output).not.toInclude('would be lost with it')
    expect((await manifestOf(bare)).tables).not.toHaveProperty('secrets')
    expect(await refused('restore', target, bare, '--keep-sessions')).toInclude('secrets')
    expect(existsSync(target.DATA_DIR)).toBe(false)
  },
  LONG_MS,
)

test(
  'the standard output takes a backup, and a full disk leaves no file and one sentence',
  async () => {
    const { variables } = await backups()
    const { code, out } = await run('backup', variables, '-')
    expect(code).toBe(0)
    const path = join(directory, 'piped')
    writeFileSync(path, out)
    expect((await manifestOf(path)).objects.count).toBe(20)
    if (process.getuid?.() !== 0 || !Bun.which('unshare')) return
    const small = join(directory, 'small')
    mkdirSync(small)
    const mounted = `mount -t tmpfs -o size=1m tmpfs ${small} && "$@" ; code=$?; ls -A ${small} >&2; exit $code`
    const full = Bun.spawn(
      ['unshare', '--mount', 'sh', '-c', mounted, 'sh', process.execPath, 'src/cli/backup.ts', join(small, 'file')],
      { env: { PATH: process.env.PATH ?? '', TMPDIR: tmpdir(), ...variables }, stdin: 'ignore', stderr: 'pipe' },
    )
    expect(await new Response(full.stderr).text()).toBe(`There is no space for ${small}/file: nothing was written.\n`)
    expect(await full.exited).toBe(1)
    expect(readdirSync(small)).toEqual([])
  },
  LONG_MS,
)
