import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { variableNames } from '../../src/environment.ts'
import { VERSION } from '../../src/core/version.ts'
import { buildRenderer, chart, type Manifest, render, valuesOf } from '../support/helm.ts'
import { SPAWN_MS } from '../support/spawned.ts'

const program = buildRenderer()
const helm = Bun.which('helm')
const schema = z.fromJSONSchema(JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')))

const SHAPES = [
  {},
  { schemaBreak: true },
  { calls: { enabled: true } },
  { calls: { enabled: true, stunServer: 'stun.example.org:3478' } },
  { ingress: { tlsSecret: '' }, env: { RESUME_WINDOW: 3600 } },
]

const named = (objects: Manifest[], kind: string): Manifest => {
  const [found, ...others] = objects.filter((object) => object.kind === kind)
  if (!found || others.length > 0) throw new Error(`There are ${others.length + (found ? 1 : 0)} of ${kind}`)
  return found
}
const namesOf = (container: Manifest): string[] => container.env.map(({ name }: Manifest) => name)

test('the values of the chart fit their schema, and nonsense does not', () => {
  expect(schema.parse(valuesOf())).toEqual(valuesOf())
  for (const nonsense of [
    { replicas: 0 },
    { url: 'chat.example.org' },
    { url: 'https://chat.example.org/path' },
    { replica: 3 },
    { env: { lower: 'case' } },
    { env: { PUBLIC_URL: 'https://other.example.org' } },
    { calls: { enabled: 'yes' } },
    { secret: { keys: ['a b'] } },
  ])
    expect([nonsense, schema.safeParse(valuesOf(nonsense)).success]).toEqual([nonsense, false])
  expect(valuesOf().image).toBe(`registry.example.org/parley:${VERSION}`)
})

test.skipIf(!program)(
  'the chart names only settings that the server has, each once',
  () => {
    for (const shape of SHAPES) {
      const { objects } = render(program ?? '', shape)
      const pods = objects.flatMap(({ spec }) => spec.template?.spec.containers ?? [])
      expect(pods.length).toBeGreaterThan(0)
      for (const container of pods) {
        const names = namesOf(container)
        expect(names.filter((name) => !variableNames.includes(name as never))).toEqual([])
        expect(new Set(names).size).toBe(names.length)
        for (const { value } of container.env) if (value !== undefined) expect(value).toBeString()
      }
    }
    const { properties } = JSON.parse(readFileSync(join(chart, 'values.schema.json'), 'utf8')).properties.env
    const bare = SHAPES.flatMap((shape) => {
      const { objects } = render(program ?? '', { ...shape, secret: { keys: [] } })
      const names = namesOf(named(objects, 'Deployment').spec.template.spec.containers[0])
      return names.filter((name) => !Object.keys(valuesOf(shape).env as object).includes(name))
    })
    expect(Object.keys(properties).sort()).toEqual([...new Set(bare)].sort())
  },
  2 * SPAWN_MS,
)

test.skipIf(!program)(
  'a large number in the environment stays in digits, also if it comes from a file of values',
  () => {
    const { objects } = render(program ?? '', { env: { MAX_FILE_BYTES: 104_857_600, RATE_LIMITS: 'off' } })
    const { env } = named(objects, 'Deployment').spec.template.spec.containers[0]
    expect(env).toContainEqual({ name: 'MAX_FILE_BYTES', value: '104857600' })
    expect(env).toContainEqual({ name: 'RATE_LIMITS', value: 'off' })
  },
  SPAWN_MS,
)

test.skipIf(!program)(
  'a setting that is both in the environment and in the secret is refused',
  () => {
    expect(() => render(program ?? '', { env: { REDIS_URL: 'redis://redis' } })).toThrow(
      'REDIS_URL is in env and in secret.keys',
    )
  },
  SPAWN_MS,
)

test.skipIf(!program)(
  'the objects of the chart refer to each other, and a pod has the time to hand its sockets and calls over',
  () => {
    for (const shape of SHAPES) {
      const { objects } = render(program ?? '', shape)
      const deployment = named(objects, 'Deployment')
      const { labels } = deployment.spec.template.metadata
      const pod = deployment.spec.template.spec
      const [container] = pod.containers
      const service = named(objects, 'Service')
      const budget = named(objects, 'PodDisruptionBudget')
      for (const selector of [
        service.spec.selector,
        budget.spec.selector.matchLabels,
        deployment.spec.selector.matchLabels,
      ])
        expect(labels).toMatchObject(selector)
      const [port] = service.spec.ports
      expect(container.ports.map(({ name }: Manifest) => name)).toContain(port.targetPort)
      expect(container.ports[0].containerPort).toBe(3000)
      const [rule] = named(objects, 'Ingress').spec.rules
      expect(rule.host).toBe('chat.example.org')
      expect(rule.http.paths[0].backend.service).toEqual({ name: service.metadata.name, port: { name: port.name } })
      expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' })
      expect(container.livenessProbe.httpGet.path).toBe('/healthz')
      const [, seconds] = container.lifecycle.preStop.exec.command
      expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(60 + Number(seconds))
      const volumes = pod.volumes.map(({ name }: Manifest) => name)
      for (const { name } of container.volumeMounts) expect(volumes).toContain(name)
      expect(budget.spec.maxUnavailable).toBe(1)
    }
  },
  2 * SPAWN_MS,
)

test.skipIf(!program)(
  'no Service of the namespace sets a variable of the server: one named `turn` would set TURN_PORT',
  () => {
    const { objects } = render(program ?? '', { calls: { enabled: true } })
    const pods = objects.flatMap(({ spec }) => spec.template?.spec ?? [])
    expect(pods).toHaveLength(2)
    for (const pod of pods) expect(pod.enableServiceLinks).toBe(false)
  },
  SPAWN_MS,
)

test.skipIf(!program)(
  'processes are replaced one by one after the new version was asked; for a break all of them stop first',
  () => {
    const { objects } = render(program ?? '')
    expect(named(objects, 'Deployment').spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 0, maxUnavailable: 1 },
    })
    const check = named(objects, 'Job')
    expect(check.metadata.annotations['helm.sh/hook']).toBe('pre-upgrade')
    const [container] = check.spec.template.spec.containers
    expect(container.command).toEqual(['bun', 'src/cli/upgrade.ts', '--check'])
    const { objects: broken } = render(program ?? '', { schemaBreak: true })
    expect(named(broken, 'Deployment').spec.strategy).toEqual({ type: 'Recreate' })
    expect(broken.some(({ kind }) => kind === 'Job')).toBe(false)
  },
  2 * SPAWN_MS,
)

test.skipIf(!program)(
  'with calls, each process has the network of its own node, and announces its address',
  () => {
    const [{ objects: without, notes }, { objects: own }, { objects: withStun }] = [
      render(program ?? ''),
      render(program ?? '', { calls: { enabled: true } }),
      render(program ?? '', { calls: { enabled: true, stunServer: 'stun.example.org:3478' } }),
    ]
    const podOf = (objects: Manifest[]) => named(objects, 'Deployment').spec.template.spec
    expect(podOf(without).hostNetwork).toBeUndefined()
    expect(notes).toInclude('no relay and no SFU')
    expect(podOf(own)).toMatchObject({ hostNetwork: true, dnsPolicy: 'ClusterFirstWithHostNet' })
    const [rule] = podOf(own).affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution
    expect(rule.topologyKey).toBe('kubernetes.io/hostname')
    expect(podOf(own).containers[0].env).toContainEqual({
      name: 'TURN_ANNOUNCED_ADDRESS',
      valueFrom: { fieldRef: { fieldPath: 'status.hostIP' } },
    })
    expect(podOf(withStun).containers[0].env).toContainEqual({ name: 'STUN_SERVER', value: 'stun.example.org:3478' })
    expect(namesOf(podOf(withStun).containers[0])).not.toContain('TURN_ANNOUNCED_ADDRESS')
  },
  2 * SPAWN_MS,
)

test.skipIf(!helm)('helm lints the chart', () => {
  const { exitCode, stdout, stderr } = Bun.spawnSync([helm ?? '', 'lint', '--strict', chart])
  expect({ exitCode, output: `${stdout}${stderr}` }).toMatchObject({ exitCode: 0 })
})
