import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianProgram } from '../../support/debian.ts'
import { boot, call, stop, until } from '../../support/harness.ts'

const root = join(import.meta.dir, '../../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const RULES = 'deploy/prometheus/alerts.yml'
const DASHBOARD = 'deploy/prometheus/dashboard.json'

const promtool = debianProgram('promtool', 'prometheus') ?? ''

/** Runs promtool in the root directory. @returns its exit code and its output */
function check(...words: string[]): { exitCode: number; said: string } {
  const { exitCode, stdout, stderr } = Bun.spawnSync([promtool, ...words], { cwd: root })
  return { exitCode, said: `${stdout}${stderr}` }
}

test.if(promtool !== '')(
  'promtool accepts the alert rules: a healthy server fires none, and one with every fault fires all',
  () => {
    const names = read(RULES).match(/alert: \w+/g) ?? []
    expect(check('check', 'rules', '--lint-fatal', RULES)).toEqual({
      exitCode: 0,
      said: expect.stringContaining(`SUCCESS: ${names.length} rules found`),
    })
    const tests = 'test/deploy/alerts.yml'
    expect(check('test', 'rules', tests)).toEqual({ exitCode: 0, said: expect.stringContaining('SUCCESS') })
    for (const name of names) expect(read(tests)).toContain(name.replace('alert: ', 'alertname="'))
  },
)

test.if(promtool !== '')('promtool takes the configuration that docs/operating.md shows', () => {
  const [, sample = ''] = /```yaml\n(scrape_configs:.*?)```/s.exec(read('docs/operating.md')) ?? []
  const directory = mkdtempSync(join(tmpdir(), 'prometheus-'))
  const token = join(directory, 'token')
  writeFileSync(token, 'a-token-for-the-metrics')
  const file = join(directory, 'prometheus.yml')
  const text = sample
    .replace('/etc/prometheus/parley.token', token)
    .replace('/etc/prometheus/parley-alerts.yml', join(root, RULES))
  expect(text).not.toContain('/etc/')
  writeFileSync(file, text)
  expect(check('check', 'config', file)).toEqual({ exitCode: 0, said: expect.stringContaining('1 rule files found') })
  rmSync(directory, { recursive: true })
})

test('a running server exposes every metric that the alert rules and the dashboard name', async () => {
  const parley = await boot({ TURN_PORT: '0' })
  const scrape = async () => (await call(parley, 'GET', '/metrics')).body as string
  // The relay starts after the server listens.
  await until(async () => (await scrape()).includes('parley_turn_allocations'))
  const exposed = new Set<string>()
  for (const [, name = '', type] of (await scrape()).matchAll(/^# TYPE (\w+) (\w+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) exposed.add(name + suffix)
  for (const path of [RULES, DASHBOARD]) {
    const named = new Set(read(path).match(/\bparley_\w+/g))
    expect(named.size).toBeGreaterThan(9)
    expect([path, [...named].filter((name) => !exposed.has(name))]).toEqual([path, []])
  }
  await stop(parley)
})

test('the metrics can be read while the database is away', async () => {
  const parley = await boot()
  await parley.parts.sql.end()
  expect((await call(parley, 'GET', '/readyz')).status).toBe(503)
  const { status, body } = await call(parley, 'GET', '/metrics')
  expect(status).toBe(200)
  expect(body).toMatch(/^parley_http_request_seconds_count\{method="GET",route="\/readyz",status="503"\} 1$/m)
  await stop(parley)
})

interface Panel {
  id: number
  title: string
  gridPos: { x: number; y: number; w: number; h: number }
  datasource: { uid: string }
  targets: { expr: string; datasource: { uid: string } }[]
}

test('the panels of the dashboard use its own data source and its filters, and do not overlap', () => {
  const { panels, templating } = JSON.parse(read(DASHBOARD)) as {
    panels: Panel[]
    templating: { list: { name: string }[] }
  }
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource', 'job', 'instance'])
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = new Set<string>()
  for (const { title, gridPos, datasource, targets } of panels) {
    expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true])
    for (const { expr, datasource: source } of targets) {
      expect([title, datasource.uid, source.uid]).toEqual([title, '${datasource}', '${datasource}'])
      expect([title, expr.split('job="$job", instance=~"$instance"').length]).toEqual([title, 2])
    }
    for (let { y } = gridPos; y < gridPos.y + gridPos.h; y++)
      for (let { x } = gridPos; x < gridPos.x + gridPos.w; x++) {
        expect([title, cells.has(`${x},${y}`)]).toEqual([title, false])
        cells.add(`${x},${y}`)
      }
  }
})

test.if(promtool !== '')('Prometheus can evaluate every expression of the dashboard', () => {
  const { panels } = JSON.parse(read(DASHBOARD)) as { panels: Panel[] }
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  const rules = expressions.map((expr, at) => {
    const asRule = expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', 'parley').replaceAll('$instance', '.*')
    return `      - { record: 'panel:n${at}', expr: ${JSON.stringify(asRule)} }\n`
  })
  const directory = mkdtempSync(join(tmpdir(), 'dashboard-'))
  const file = join(directory, 'rules.yml')
  writeFileSync(file, `groups:\n  - name: dashboard\n    rules:\n${rules.join('')}`)
  expect(check('check', 'rules', file)).toMatchObject({ exitCode: 0 })
  rmSync(directory, { recursive: true })
})
