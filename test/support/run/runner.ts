import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { withCodings } from '../../../src/api/client-codings.ts'
import { clientFiles, packClient } from '../../../src/api/client-files.ts'
import { openDatabase, SUPERUSER } from '../../../src/database/database.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { startPostgres } from '../postgres.ts'
import { isOfBrowsers } from './order.ts'
import { readReport, type Results } from './report.ts'

/** Said here because bun test reads no timeout from bunfig.toml. Longer than a test waits for any one thing. */
const TEST_MS_MAX = 300_000

export interface Run {
  file: string
  results: Results
  ms: number
  /** Everything that the process printed; that of a batch is about all of its files. */
  output: string
}

interface Options {
  root: string
  /** For what the runs leave. */
  directory: string
  /** Handed on to `bun test`. */
  flags: string[]
  coverage: string
  /** Path of the web client, built; else the servers of tests build it. */
  client?: string
  /** Path of a cluster that does not run, with the schema in its database `parley`. */
  cluster?: string
  /** True if the space of databases has to be freed at once. */
  inMemory?: boolean
  /** True if output appears as it comes, not only when the file has ended. */
  live: boolean
}

/** Runs test files, each in a process of its own. */
export class Runner {
  #runs = 0

  constructor(private readonly options: Options) {}

  /**
   * Runs files one after the other in one process; what that leaves open about a file, the file says by itself.
   * @param postgres as for `run`
   */
  async runBatch(files: string[], postgres: string | undefined): Promise<Run[]> {
    const [file = ''] = files
    if (files.length === 1) return [await this.run(file, postgres)]
    const { report, code, ms, output } = await this.#test(files, postgres, '')
    const reports = files.map((each) => readReport(report, 0, each))
    const hasFailed = (results: Results) => [...results.values()].includes('failed')
    // A test that failed explains the exit code, unless something failed outside of the tests besides.
    const isExplained = code === 0 || (reports.some(hasFailed) && !/^ *\d+ errors?$/m.test(output))
    const runs: Run[] = []
    for (const [at, results] of reports.entries()) {
      const each = files[at] ?? file
      const isKnown = hasFailed(results) || (isExplained && results.size > 0)
      runs.push(isKnown ? { file: each, results, ms: ms / files.length, output } : await this.run(each, postgres))
    }
    return runs
  }

  /** @param postgres directory of the socket of a cluster that no other run uses; else the tests start one */
  async run(file: string, postgres: string | undefined, heading = ''): Promise<Run> {
    const { report, code, ms, output } = await this.#test([file], postgres, heading)
    return { file, ms, results: readReport(report, code), output }
  }

  async #test(files: string[], postgres: string | undefined, heading: string) {
    const { root, directory, coverage, client, cluster, flags, live } = this.options
    const place = join(directory, `run-${++this.#runs}`)
    const began = performance.now()
    const reporting = ['--reporter=junit', `--reporter-outfile=${place}.xml`]
    const into = live ? undefined : openSync(place, 'w')
    const built = client && files.every(isOfBrowsers) ? [`--define=BUILT_CLIENT="${relative(root, client)}"`] : []
    const child = Bun.spawn(
      [
        process.execPath,
        'test',
        `--timeout=${TEST_MS_MAX}`,
        ...reporting,
        ...built,
        ...flags,
        ...files.map((file) => `./${file}`),
      ],
      {
        cwd: root,
        env: {
          ...process.env,
          PARLEY_COVERAGE: coverage,
          PARLEY_TEST_POSTGRES: postgres,
          PARLEY_TEST_CLUSTER: cluster,
        },
        stdio: ['ignore', into ?? 'inherit', into ?? 'inherit'],
      },
    )
    const code = await child.exited
    if (this.options.inMemory && postgres) await dropDatabases(postgres).catch(console.error)
    const ms = performance.now() - began
    const how = code === 0 ? '' : child.signalCode ? `, ended by ${child.signalCode}` : `, exit code ${code}`
    if (into !== undefined) closeSync(into)
    const output = into === undefined ? '' : readFileSync(place, 'utf8')
    const cpuS = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6
    console.log(`\n${heading}${files.join(', ')} [${(ms / 1000).toFixed(1)} s, CPU ${cpuS.toFixed(1)} s${how}]`)
    if (into !== undefined) console.log(testOutput(output))
    return { report: `${place}.xml`, code, ms, output }
  }
}

/** Output of bun test without its version, the file's name and the totals, which run.ts prints. */
const testOutput = (output: string): string =>
  output
    .replace(/^bun test v.*\n/, '')
    .replace(/^\s*\S+:\n/, '')
    .replace(/\n+ *\d+ pass\n(?: .*\n)*Ran .*\n$/, '')
    .trimEnd()

/** Drops what tests have left on a cluster that the run lends. */
async function dropDatabases(socket: string): Promise<void> {
  const sql = openDatabase({ socket, database: 'postgres', role: SUPERUSER }, 1)
  const databases = await sql<{ name: string }[]>`select datname as name from pg_database
    where not datistemplate and datname not in ('postgres', 'parley')`
  for (const { name } of databases) await sql.unsafe(`drop database ${name} with (force)`)
  await sql.end()
}

/** Builds the web client for the servers of all tests, as an executable has it. @returns its path */
export async function keepClient(directory: string): Promise<string> {
  const path = join(directory, 'client')
  writeFileSync(path, packClient(await withCodings(await clientFiles())))
  return path
}

/**
 * Starts PostgreSQL clusters, each with the schema in its database `parley`, which servers of tests get copies of.
 * @returns the directories of their sockets, and the path of one that does not run
 */
export async function startClusters(directory: string, count: number): Promise<{ sockets: string[]; cluster: string }> {
  const homes = Array.from({ length: count }, (_, n) => join(directory, `lane-${n + 1}`))
  for (const home of homes) mkdirSync(join(home, 'postgres'), { recursive: true })
  const [first = '', ...others] = homes
  const postgres = await startPostgres(first)
  const sql = openDatabase({ socket: postgres.socket, database: 'parley' }, 1)
  await migrate(sql)
  await sql.end()
  await postgres.stop()
  const cluster = join(directory, 'prepared')
  for (const copy of [...others.map((home) => join(home, 'postgres/cluster')), cluster])
    Bun.spawnSync(['cp', '-a', join(first, 'postgres/cluster'), copy])
  const started = await Promise.all(homes.map((home) => startPostgres(home)))
  return { sockets: started.map(({ socket }) => socket), cluster }
}
