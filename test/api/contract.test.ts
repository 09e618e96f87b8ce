import { expect, test } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contract } from '../../src/api/asyncapi.ts'
import { openApi } from '../../src/api/openapi.ts'
import { contractLines } from '../support/contract-lines.ts'
import { standard } from '../support/harness.ts'

const golden = join(import.meta.dir, 'golden/contract.txt')

test('the contract is the golden one: changes are additive, and deliberate', async () => {
  const { routes } = await standard()
  const { paths, components } = await openApi(routes)
  const now = `${contractLines({ ...contract(), paths, components }).join('\n')}\n`
  if (process.env.UPDATE_GOLDEN) writeFileSync(golden, now)
  expect(now.split('\n')).toEqual(readFileSync(golden, 'utf8').split('\n'))
})

test('every endpoint of the interface is declared', async () => {
  const { routes } = await standard()
  const there = new Set(routes.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, ':x')}`))
  const missing = INTERFACE.filter((line) => !there.has(line.replace(/:\w+/g, ':x')))
  expect(missing).toEqual([])
})

/** The endpoints that every client of interface 0.14.0 relies on. */
const INTERFACE = [
  'POST /api/auth/register',
  'POST /api/auth/login',
  'GET /api/auth/me',
  'POST /api/auth/logout',
  'POST /api/auth/logout-all',
  'PUT /api/auth/display-name',
  'POST /api/servers',
  'GET /api/servers',
  'GET /api/servers/:id',
  'PUT /api/servers/:id',
  'DELETE /api/servers/:id',
  'GET /api/servers/:id/members',
  'POST /api/servers/:server_id/channels',
  'GET /api/servers/:server_id/channels',
  'GET /api/channels/:id',
  'PUT /api/channels/:id',
  'DELETE /api/channels/:id',
  'POST /api/channels/:channel_id/messages',
  'GET /api/channels/:channel_id/messages',
  'GET /api/messages/:id',
  'PUT /api/messages/:id',
  'DELETE /api/messages/:id',
  'POST /api/invites',
  'GET /api/servers/:id/invites',
  'DELETE /api/invites/:id',
  'POST /api/invites/:code/join',
  'POST /api/files/upload-url',
  'POST /api/files',
  'GET /api/files/:id',
  'GET /api/files/:id/download-url',
  'DELETE /api/files/:id',
  'GET /api/messages/:message_id/files',
  'POST /api/servers/:server_id/roles',
  'GET /api/servers/:server_id/roles',
  'GET /api/roles/:id',
  'PUT /api/roles/:id',
  'DELETE /api/roles/:id',
  'POST /api/servers/:server_id/members/:user_id/roles/:role_id',
  'DELETE /api/servers/:server_id/members/:user_id/roles/:role_id',
  'GET /api/servers/:server_id/members/:user_id/roles',
]
