import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installPackages } from './debian.ts'

export const chart = join(import.meta.dir, '../../deploy/helm')

/** A Kubernetes object, as YAML says it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read it as deep as they want
export type Manifest = Record<string, any>

type Values = Record<string, unknown>

export const valuesOf = (changes: Values = {}): Values =>
  merged(Bun.YAML.parse(readText('values.yaml')) as Values, changes)

/** As Helm merges `--set` into the values. */
function merged(values: Values, changes: Values): Values {
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  const entries = Object.entries(changes).map(([name, value]) => {
    const before = values[name]
    return [name, isMap(before) && isMap(value) ? merged(before, value) : value]
  })
  return { ...values, ...Object.fromEntries(entries) }
}

const readText = (name: string): string => readFileSync(join(chart, name), 'utf8')

/** Debian's Go, which is not in the PATH, and Sprig, whose functions templates of Helm use. */
function goProgram(): string | undefined {
  const find = () =>
    existsSync('/usr/share/gocode/src/github.com/Masterminds/sprig')
      ? ['/usr/lib/go-1.19/bin/go', Bun.which('go') ?? ''].find((path) => path !== '' && existsSync(path))
      : undefined
  if (!find()) installPackages('golang-1.19-go', 'golang-github-masterminds-sprig-dev')
  const go = find()
  if (!go)
    console.error(
      'SKIPPED LOUDLY: no Go with Sprig on this machine (Debian: golang-go golang-github-masterminds-sprig-dev)',
    )
  return go
}

/** The path of the program that renders charts; undefined, said loudly, where it cannot be built. */
export function buildRenderer(): string | undefined {
  const go = goProgram()
  if (!go) return undefined
  const home = mkdtempSync(join(tmpdir(), 'helm-'))
  const program = join(home, 'render')
  const env = { PATH: process.env.PATH ?? '', HOME: home, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' }
  const { exitCode, stderr } = Bun.spawnSync([go, 'build', '-o', program, join(import.meta.dir, 'helm/render.go')], {
    env: { ...env, GOCACHE: join(home, 'cache') },
  })
  if (exitCode !== 0) throw new Error(stderr.toString())
  return program
}

/** Renders the chart with these changes of its values: its objects, and the notes. */
export function render(program: string, changes: Values = {}): { objects: Manifest[]; notes: string } {
  const context = { Chart: { Name: 'parley' }, Release: { Name: 'chat', Namespace: 'default' } }
  const { exitCode, stdout, stderr } = Bun.spawnSync([
    program,
    chart,
    JSON.stringify(valuesOf(changes)),
    JSON.stringify(context),
  ])
  if (exitCode !== 0) throw new Error(stderr.toString())
  const { 'NOTES.txt': notes = '', ...files } = JSON.parse(stdout.toString()) as Record<string, string>
  const objects = Object.values(files).flatMap((text) => [Bun.YAML.parse(text)].flat() as (Manifest | null)[])
  return { objects: objects.filter((object) => object !== null), notes }
}
