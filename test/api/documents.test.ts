import { beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core'
import { asyncapi, oas } from '@stoplight/spectral-rulesets'
import Ajv2020 from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import { compile } from 'json-schema-to-typescript'
import openapiTS from 'openapi-typescript'
import { generate } from 'openapi-typescript-codegen'
import { boot, call, standard, stop } from '../support/harness.ts'

const parley = await standard()
const directory = mkdtempSync(join(tmpdir(), 'parley-documents-'))

let api: any
let gateway: any
beforeAll(async () => {
  api = (await call(parley, 'GET', '/docs/json')).body
  gateway = (await call(parley, 'GET', '/docs/asyncapi.json')).body
})

/** Linters load slowly on a busy machine. */
const LINT_MS_MAX = 180_000

test(
  'Redocly finds no error in the OpenAPI document',
  async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: JSON.stringify(api), absoluteRef: 'openapi.json', config })
    const found = problems.map(({ ruleId, severity, message }) => ({ ruleId, severity, message }))
    expect(found.filter(({ severity }) => severity === 'error')).toEqual([])
    // The license has no name, and `/api/dm/messages/{message_id}` is part of the interface.
    // Single sign-on redirects browsers: 302.
    const ignoredRules = ['info-license', 'no-ambiguous-paths', 'operation-2xx-response']
    expect(found.filter(({ ruleId }) => !ignoredRules.includes(ruleId))).toEqual([])
  },
  LINT_MS_MAX,
)

test(
  'Spectral finds no error in either document',
  async () => {
    const lint = async (ruleset: RulesetDefinition, document: unknown) => {
      const spectral = new Spectral()
      spectral.setRuleset(ruleset)
      const found = await spectral.run(structuredClone(document) as Record<string, unknown>)
      return found.map(({ code, severity, path, message }) => `${severity} ${code} ${path.join('/')} ${message}`)
    }
    // Severity 0 is an error, 1 a warning. Operations have a summary instead of a description; there is no contact.
    const ignoredMessages =
      /^[12] (operation-description|info-contact|asyncapi-(info-contact|info-license|latest-version)) /
    expect((await lint(oas as RulesetDefinition, api)).filter((line) => !ignoredMessages.test(line))).toEqual([])
    expect((await lint(asyncapi as RulesetDefinition, gateway)).filter((line) => !ignoredMessages.test(line))).toEqual(
      [],
    )
  },
  LINT_MS_MAX,
)

/** Every schema of a document that has examples, with the examples. */
function* exampled(value: unknown, path = ''): Generator<{ path: string; schema: unknown; example: unknown }> {
  if (typeof value !== 'object' || value === null) return
  const at = value as Record<string, any>
  if (at.schema && 'example' in at) yield { path, schema: at.schema, example: at.example }
  for (const { payload } of (at.payload && at.examples) || []) yield { path, schema: at.payload, example: payload }
  const isSchema = ['type', 'anyOf', 'oneOf', 'const'].some((keyword) => keyword in at) && !('schema' in at)
  if (isSchema && 'example' in at && !path.endsWith('/example')) yield { path, schema: at, example: at.example }
  for (const [name, inner] of Object.entries(at))
    if (name !== 'example' && name !== 'examples') yield* exampled(inner, `${path}/${name}`)
}

/** The examples that their schemas refuse, and the number of examples. */
function judgeExamples(document: any): { refused: string[]; count: number } {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema({ $id: 'parley:document', components: document.components })
  const examples = [...exampled(document)]
  const compiled = new Map<string, ReturnType<typeof ajv.compile>>()
  const refused = examples.flatMap(({ path, schema, example }) => {
    const absolute = JSON.stringify(schema).replaceAll('"#/components', '"parley:document#/components')
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute))
    compiled.set(absolute, validate)
    return validate(example) ? [] : [`${path}: ${JSON.stringify(example)}: ${ajv.errorsText(validate.errors)}`]
  })
  return { refused, count: examples.length }
}

test('every example of the OpenAPI document fits its schema', () => {
  const { refused, count } = judgeExamples(api)
  expect(refused).toEqual([])
  expect(count).toBeGreaterThan(500)
})

test('every event and command has an example, and each fits its schema', () => {
  const { refused, count } = judgeExamples(gateway)
  expect(refused).toEqual([])
  expect(count).toBeGreaterThan(70)
  for (const [name, { examples }] of Object.entries<any>(gateway.channels.gateway.messages))
    expect([name, examples?.length]).toEqual([name, 1])
})

test('every parameter is described, every tag declared and described, and the server named', () => {
  for (const [path, operations] of Object.entries<object>(api.paths))
    for (const { parameters = [], tags } of Object.values<any>(operations)) {
      for (const { name, description } of parameters)
        expect([path, name, typeof description]).toEqual([path, name, 'string'])
      expect([path, api.tags.map((tag: any) => tag.name)]).toEqual([path, expect.arrayContaining(tags)])
    }
  for (const { name, description } of api.tags) expect([name, typeof description]).toEqual([name, 'string'])
  expect(api.servers).toEqual([{ url: parley.url }])
})

test('login takes a username or an e-mail address, and its schema says so', async () => {
  const { schema } = api.paths['/api/auth/login'].post.requestBody.content['application/json']
  const ajv = new Ajv2020({ strict: false })
  const password = 'Correct-Horse-7!'
  const bodies = [{ username: 'alice' }, { email: 'a@example.org' }, {}, { username: 'alice', email: 'a@example.org' }]
  const fits = bodies.map((body) => ajv.validate(schema, { ...body, password }))
  expect(fits).toEqual([true, true, false, false])
  // 401 means that the body was understood.
  const answers = bodies.map((body) => call(parley, 'POST', '/api/auth/login', { body: { ...body, password } }))
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([401, 401, 422, 422])
})

test('the documented example requests are accepted as they stand', async () => {
  const own = await boot()
  const example = (method: string, path: string) =>
    api.paths[path][method].requestBody.content['application/json'].example
  const register = example('post', '/api/auth/register')
  const { status, body: signedIn } = await call(own, 'POST', '/api/auth/register', { body: register })
  expect(status).toBe(201)
  const { token } = signedIn
  expect((await call(own, 'POST', '/api/auth/login', { body: example('post', '/api/auth/login') })).status).toBe(200)
  const send = async (method: string, path: string, ids: Record<string, number> = {}) => {
    const url = path.replace(/\{(\w+)\}/g, (_, name) => String(ids[name]))
    const answer = await call(own, method.toUpperCase(), url, { body: example(method, path), token })
    expect([method, path, answer.body?.errors, answer.status < 300]).toEqual([method, path, undefined, true])
    return answer.body
  }
  const { id: server_id } = await send('post', '/api/servers')
  await send('put', '/api/servers/{server_id}', { server_id })
  const { id: channel_id } = await send('post', '/api/servers/{server_id}/channels', { server_id })
  await send('put', '/api/channels/{channel_id}', { channel_id })
  const { id: message_id } = await send('post', '/api/channels/{channel_id}/messages', { channel_id })
  await send('post', '/api/channels/{channel_id}/messages', { channel_id })
  await send('put', '/api/messages/{message_id}', { message_id })
  const { id: role_id } = await send('post', '/api/servers/{server_id}/roles', { server_id })
  await send('put', '/api/roles/{role_id}', { role_id })
  await send('put', '/api/channels/{channel_id}/permissions/{role_id}', { channel_id, role_id })
  await send('post', '/api/files/upload-url')
  await send('put', '/api/auth/display-name')
  await send('put', '/api/auth/privacy')
  await send('put', '/api/auth/password')
  await stop(own)
})

/** The compiler's errors in the files, in strict mode. */
async function typeErrors(folder: string): Promise<string> {
  const compilerOptions = { strict: true, noEmit: true, target: 'esnext', module: 'esnext', types: [] }
  const config = { ...compilerOptions, moduleResolution: 'bundler', lib: ['esnext', 'dom'], skipLibCheck: false }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: config, include: ['.'] }))
  const tsc = join(import.meta.dir, '../../node_modules/typescript/bin/tsc')
  const run = Bun.spawn([process.execPath, tsc, '-p', folder], { stdout: 'pipe', stderr: 'inherit' })
  const output = await new Response(run.stdout).text()
  return (await run.exited) === 0 ? '' : output
}

const OPENAPI_TYPESCRIPT_USER = `import type { components, paths } from './api'
type Send = paths['/api/channels/{channel_id}/messages']['post']
export const body: NonNullable<Send['requestBody']>['content']['application/json'] = { content: 'A kingfisher!' }
export const idOf = (message: components['schemas']['Message']): number => message.id
export const answer: Send['responses'][201]['content']['application/json'] = {} as components['schemas']['Message']
`

const CODEGEN_USER = `import { type Message, MessagesService, type PublicUser } from './client'
export const send = (channelId: number): Promise<Message> =>
  MessagesService.postApiChannelsByChannelIdMessages({ channelId, requestBody: { content: 'A kingfisher!' } })
export const authorOf = (message: Message): PublicUser => message.author
`

test(
  'openapi-typescript and openapi-typescript-codegen generate types that compile and have the resources’ names',
  async () => {
    const folder = mkdtempSync(join(directory, 'openapi-'))
    writeFileSync(join(folder, 'api.ts'), await openapiTS(structuredClone(api)))
    writeFileSync(join(folder, 'user.ts'), OPENAPI_TYPESCRIPT_USER)
    await generate({ input: structuredClone(api), output: join(folder, 'client'), useOptions: true })
    writeFileSync(join(folder, 'codegen-user.ts'), CODEGEN_USER)
    expect(await typeErrors(folder)).toBe('')
  },
  LINT_MS_MAX,
)

const GATEWAY_USER = `import type { ChannelAckCommand, Message, MessageCreatedEvent } from './gateway'
import type { ReadyEvent, VoiceJoinAnswer } from './gateway'
export const contentOf = ({ d }: MessageCreatedEvent): string => d.content
export const message = ({ d }: MessageCreatedEvent): Message => d
export const ack: ChannelAckCommand = { op: 'channel.ack', id: 1, d: { channel_id: 3, message_id: 7 } }
export const peers = ({ peers }: VoiceJoinAnswer): string[] => peers.map(({ user }) => user.display_name)
export const me = ({ d }: ReadyEvent): string => d.user.username
`

test(
  'json-schema-to-typescript gives every frame of the gateway a type with a name',
  async () => {
    const folder = mkdtempSync(join(directory, 'asyncapi-'))
    const { schemas } = gateway.components
    const all = Object.fromEntries(Object.keys(schemas).map((name) => [name, { $ref: `#/components/schemas/${name}` }]))
    const root = { title: 'Everything', type: 'object', properties: all, components: { schemas } }
    const source = await compile(structuredClone(root) as object, 'Everything', { additionalProperties: false })
    writeFileSync(join(folder, 'gateway.ts'), source)
    writeFileSync(join(folder, 'user.ts'), GATEWAY_USER)
    const names = new Set([...source.matchAll(/^export (?:interface|type) (\w+)/gm)].map(([, name]) => name))
    expect(Object.keys(schemas).filter((name) => !names.has(name))).toEqual([])
    // Generators append a number to a name to resolve a conflict.
    expect([...names].filter((name) => /\d$/.test(name ?? ''))).toEqual([])
    expect(await typeErrors(folder)).toBe('')
  },
  LINT_MS_MAX,
)
