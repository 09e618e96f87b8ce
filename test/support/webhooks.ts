import { expect } from 'bun:test'
import type { IssuedWebhook } from '../../src/features/webhooks/model.ts'
import { hit } from './coverage.ts'
import { type Person, routeOf, until } from './harness.ts'

/** Makes a webhook in a channel. */
export async function webhook(who: Person, channelId: number, name = 'Grafana'): Promise<IssuedWebhook> {
  const response = await who.post<IssuedWebhook>(`/api/channels/${channelId}/webhooks`, { name })
  expect(response.status).toBe(201)
  return response.body
}

interface Given {
  method?: string
  headers?: Record<string, string>
}

/** Sends something to a webhook: an object as JSON, anything else as it is. */
export async function post(
  who: Person,
  url: string,
  body?: unknown,
  { method = 'POST', headers = {} }: Given = {},
): Promise<{ status: number; headers: Headers; body: any }> {
  const isRaw = typeof body === 'string' || body instanceof FormData || body instanceof Uint8Array || body === undefined
  const at = new URL(url, who.parley.url)
  const answer = await fetch(`${who.parley.url}${at.pathname}${at.search}`, {
    method,
    headers: { ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }), ...headers },
    body: isRaw ? (body as string) : JSON.stringify(body),
  })
  const text = await answer.text()
  const route = routeOf(who.parley, method, at.pathname)
  if (route && answer.status < 400) hit(`route ${route.method} ${route.path}`)
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

/** The newest message of a channel. */
export async function newest(who: Person, channelId: number): Promise<any> {
  const [message] = (await who.get(`/api/channels/${channelId}/messages?limit=1`)).body
  return message
}

/** The newest message of a channel, once the pictures and links of all messages have been fetched. */
export async function newestPreviewed(who: Person, channelId: number): Promise<any> {
  const { parley } = who
  await until(async () => {
    await parley.sweep()
    return (await parley.parts.sql`select 1 from preview_jobs`).length === 0
  })
  return newest(who, channelId)
}
