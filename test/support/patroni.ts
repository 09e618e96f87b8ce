import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NOBODY } from '../../src/database/postgres-user.ts'
import { debianPrograms } from './debian-postgres.ts'
import { debianProgram } from './debian.ts'
import { freePort } from './ports.ts'
import { until } from './until.ts'

const DEPLOY = join(import.meta.dir, '../../deploy')
const START_MS = 120_000

const as = process.getuid?.() === 0 ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : []
const ENV = { PATH: `/usr/sbin:${process.env.PATH ?? ''}`, TMPDIR: tmpdir(), HOME: tmpdir() }

/** The programs of the test; undefined, said loudly, where one cannot be had. */
export function patroniPrograms() {
  const etcd = debianProgram('etcd', 'etcd-server')
  const patroni = debianProgram('patroni', 'patroni')
  const haproxy = debianProgram('haproxy', 'haproxy')
  const pgbouncer = debianProgram('pgbouncer', 'pgbouncer')
  return debianPrograms() && etcd && patroni && haproxy && pgbouncer ? { etcd, patroni, haproxy, pgbouncer } : undefined
}
type Programs = NonNullable<ReturnType<typeof patroniPrograms>>

/** Changes a file of deploy/. @throws if a text is not there */
export function adapted(name: string, changes: [string, string][]): string {
  return changes.reduce(
    (text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`deploy/${name} has no ${from}`)
      return text.replaceAll(from, to)
    },
    readFileSync(join(DEPLOY, name), 'utf8'),
  )
}

interface Node {
  name: string
  port: number
  api: number
  data: string
  child: Bun.Subprocess
}

/** Two servers of Patroni, an etcd, HAProxy and PgBouncer, by the files of deploy/. */
export class Patroni {
  readonly #children: Bun.Subprocess[] = []
  readonly nodes: Node[] = []
  readonly proxyPort = freePort()
  readonly poolerPort = freePort()
  readonly #etcdPort = freePort()
  readonly #home = mkdtempSync(join(tmpdir(), 'patroni-'))

  private constructor(private readonly programs: Programs) {
    if (as.length > 0) chownSync(this.#home, NOBODY, NOBODY)
    chmodSync(this.#home, 0o700)
  }

  static async open(programs: Programs): Promise<Patroni> {
    const all = new Patroni(programs)
    const [client, peer] = [`http://127.0.0.1:${all.#etcdPort}`, `http://127.0.0.1:${freePort()}`]
    const urls = { 'listen-client-urls': client, 'advertise-client-urls': client, 'listen-peer-urls': peer }
    const named = { ...urls, 'initial-advertise-peer-urls': peer, 'initial-cluster': `default=${peer}` }
    const options = Object.entries(named).map(([name, value]) => `--${name}=${value}`)
    all.#run(programs.etcd, `--data-dir=${all.#home}/etcd`, ...options)
    for (const name of ['db1', 'db2']) {
      const node = { name, port: freePort(), api: freePort(), data: join(all.#home, name) }
      all.nodes.push({ ...node, child: all.#start(node) })
      // The first one makes the database, and the second copies it.
      if (name === 'db1') await until(async () => (await all.leader())?.name === name, START_MS)
    }
    all.psql('create role parley login')
    all.psql('create database parley owner parley')
    await until(() => all.psql('select sync_state from pg_stat_replication') === 'sync', START_MS)
    all.#openBalancers()
    return all
  }

  /** DATABASE_URL with both servers. */
  get both(): string {
    return `postgres://parley@${this.nodes.map(({ port }) => `127.0.0.1:${port}`).join()}/parley`
  }

  /** The server that Patroni calls the primary. */
  async leader(): Promise<Node | undefined> {
    for (const node of this.nodes) {
      const answer = await fetch(`http://127.0.0.1:${node.api}/primary`).catch(() => undefined)
      if (answer?.status === 200) return node
    }
    return undefined
  }

  /** Runs a statement as the superuser on a server, the first one by default. */
  psql(statement: string, { port } = this.nodes[0] as Node, database = 'postgres'): string {
    const args = ['-h', '127.0.0.1', '-p', `${port}`, '-U', 'postgres', '-d', database, '-Atc', statement]
    return Bun.spawnSync([...as, 'psql', ...args], { env: ENV })
      .stdout.toString()
      .trim()
  }

  /** Ends Patroni and its PostgreSQL at once, as the end of a machine does. */
  async crash(node: Node): Promise<void> {
    node.child.kill('SIGKILL')
    const pid = Number.parseInt(readFileSync(join(node.data, 'postmaster.pid'), 'utf8'), 10)
    process.kill(pid, 'SIGSTOP')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    for (const child of children) process.kill(Number(child), 'SIGKILL')
    process.kill(pid, 'SIGKILL')
    await node.child.exited
  }

  /** Starts Patroni again on a machine that had crashed. */
  return(node: Node): void {
    node.child = this.#start(node)
  }

  async stop(): Promise<void> {
    const all = [...this.nodes.map(({ child }) => child), ...this.#children]
    for (const child of all) child.kill('SIGTERM')
    await Promise.all(all.map((child) => Promise.race([child.exited, Bun.sleep(10_000).then(() => child.kill(9))])))
  }

  #start({ name, port, api, data }: Omit<Node, 'child'>): Bun.Subprocess {
    mkdirSync(join(this.#home, 'files'), { recursive: true, mode: 0o755 })
    const file = join(this.#home, 'files', `${name}.yml`)
    const text = adapted('patroni.yml', [
      ['name: db1\n', `name: ${name}\n`],
      ['10.0.0.11:8008', `127.0.0.1:${api}`],
      ['10.0.0.11:5432', `127.0.0.1:${port}`],
      ['10.0.0.21:2379,10.0.0.22:2379,10.0.0.23:2379', `127.0.0.1:${this.#etcdPort}`],
      ['/var/lib/postgresql/15/parley\n', `${data}\n`],
      ['- local all all peer\n', '- local all all trust\n'],
      ['10.0.0.0/24 scram-sha-256', '127.0.0.0/8 trust'],
      ['  pg_hba:\n', `  parameters:\n    unix_socket_directories: ${this.#home}\n    fsync: 'off'\n  pg_hba:\n`],
    ])
    writeFileSync(file, text)
    const log = Bun.file(join(this.#home, 'files', `${name}.log`))
    return Bun.spawn([...as, this.programs.patroni, file], {
      // Patroni writes there, as a user who may not write where the tests do.
      env: { ...ENV, TMPDIR: this.#home, HOME: this.#home },
      cwd: this.#home,
      stdio: ['ignore', log, log],
    })
  }

  #openBalancers(): void {
    const haproxy = join(this.#home, 'files', 'haproxy.cfg')
    const servers = this.nodes.map(({ name, port, api }) => `  server ${name} 127.0.0.1:${port} check port ${api}\n`)
    const text = adapted('haproxy-postgresql.cfg', [
      ['bind 127.0.0.1:5432\n', `bind 127.0.0.1:${this.proxyPort}\n`],
      ['check port 8008 ', ''],
      ['  server db1 10.0.0.11:5432\n', servers[0] ?? ''],
      ['  server db2 10.0.0.12:5432\n', servers[1] ?? ''],
    ])
    writeFileSync(haproxy, text)
    this.#run(this.programs.haproxy, '-db', '-f', haproxy)
    const pgbouncer = join(this.#home, 'files', 'pgbouncer.ini')
    const pooled = adapted('pgbouncer.ini', [
      ['port=5432 dbname=parley\n', `port=${this.proxyPort} dbname=parley user=parley\n`],
      ['listen_port = 6432\n', `listen_port = ${this.poolerPort}\n`],
      ['auth_type = scram-sha-256\n', 'auth_type = any\n'],
      ['auth_file = /etc/pgbouncer/userlist.txt\n', ''],
    ])
    writeFileSync(pgbouncer, pooled)
    this.#run(this.programs.pgbouncer, pgbouncer)
  }

  #run(program: string, ...args: string[]): void {
    const child = Bun.spawn([...as, program, ...args], {
      env: ENV,
      cwd: this.#home,
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    this.#children.push(child)
  }
}
