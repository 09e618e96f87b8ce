import { afterAll, expect, spyOn, test } from 'bun:test'
import { isOwnPath } from '../../../src/features/oidc/model.ts'
import { boot, call, person, stop } from '../../support/harness.ts'
import { prove } from '../../support/factors.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { BASE, REDIRECT, Visitor } from '../../support/single-sign-on.ts'

const provider = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
const parley = await boot({ PUBLIC_URL: BASE, ...provider.variables() })
const { sql } = parley.parts
afterAll(async () => {
  await stop(parley)
  await provider.close()
})

let people = 0
/** A person that the provider knows, and who logs in there next. */
function personAtProvider(name: string, claims = {}): string {
  const subject = `${name}.${++people}`
  provider.people.set(subject, { email: `${subject}@example.org`, email_verified: true, name, ...claims })
  provider.next = subject
  return subject
}
const sessionsOf = async (email: string) =>
  (await sql`select 1 from sessions s join users u on u.id = s.user_id where u.email = ${email}`).length
const EXPIRED = '/login#sso=login_expired'

test('an answer of the provider counts once, and only in the browser that asked', async () => {
  const subject = personAtProvider('alice')
  const alice = new Visitor(parley)
  const back = await alice.atProvider(await alice.start())
  // Login CSRF: another browser returns with somebody else's code, without an attempt or with its own.
  const other = new Visitor(parley)
  expect(await other.land(back)).toBe(EXPIRED)
  await other.start()
  expect(await other.land(back)).toBe(EXPIRED)
  expect(other.cookie('session')).toBeUndefined()
  expect(await alice.land(back)).toBe('/app')
  expect(await sessionsOf(`${subject}@example.org`)).toBe(1)
  for (let again = 0; again < 2; again++) expect(await alice.land(back)).toBe(EXPIRED)
  expect(await sessionsOf(`${subject}@example.org`)).toBe(1)
})

test('if two answers with one code race, one logs in', async () => {
  const subject = personAtProvider('bob')
  const bob = new Visitor(parley)
  const back = await bob.atProvider(await bob.start())
  const ends = await Promise.all([bob.land(back), bob.land(back)])
  expect(ends.toSorted()).toEqual(['/app', EXPIRED])
  expect(await sessionsOf(`${subject}@example.org`)).toBe(1)
})

test('a code of another attempt, a changed state, an unknown issuer and a forged cookie log nobody in', async () => {
  personAtProvider('carol')
  const carol = new Visitor(parley)
  const first = new URL(await carol.atProvider(await carol.start()), BASE)
  const second = new URL(await carol.atProvider(await carol.start()), BASE)
  const land = (change: (query: URLSearchParams) => void) => {
    const url = new URL(second)
    change(url.searchParams)
    return carol.land(url.pathname + url.search)
  }
  expect(await land((query) => query.set('state', first.searchParams.get('state') ?? ''))).toBe(EXPIRED)
  expect(await land((query) => query.delete('state'))).toBe(EXPIRED)
  const cookie = carol.cookie('oidc') ?? ''
  for (const forged of ['', 'AAAA', cookie.slice(0, -4), `${cookie.slice(0, 40)}AAAA${cookie.slice(44)}`]) {
    carol.setCookie('oidc', forged)
    expect(await land(() => {})).toBe(EXPIRED)
  }
  carol.setCookie('oidc', cookie)
  // RFC 9207: another provider answers in the place of this one.
  expect(await land((query) => query.set('iss', 'https://mallory.example'))).toBe('/login#sso=oidc_failed')
  const third = new URL(await carol.atProvider(await carol.start()), BASE)
  third.searchParams.set('code', first.searchParams.get('code') ?? '')
  // The code belongs to another verifier and another nonce.
  expect(await carol.land(third.pathname + third.search)).toBe('/login#sso=oidc_failed')
  expect(carol.cookie('session')).toBeUndefined()
})

test('an attempt of another installation or another provider counts for nothing', async () => {
  const elsewhere = await IdentityProvider.open({ redirect_uris: [REDIRECT] })
  const variables = { PUBLIC_URL: BASE, DATABASE_URL: parley.parts.environment.DATABASE_URL ?? '' }
  const moved = await boot({ ...variables, ...elsewhere.variables() })
  personAtProvider('dave')
  const dave = new Visitor(parley)
  const back = await dave.atProvider(await dave.start())
  const there = new Visitor(moved)
  there.setCookie('oidc', dave.cookie('oidc') ?? '')
  expect(await there.land(back)).toBe(EXPIRED)
  // The same subject at another provider is a different person.
  await dave.logIn()
  elsewhere.people.set(provider.next ?? '', { email: 'other@example.org', email_verified: true })
  elsewhere.next = provider.next
  await there.logIn()
  expect((await there.who()).id).not.toBe((await dave.who()).id)
  await stop(moved)
  await elsewhere.close()
})

test('nobody is sent to another host, or into the API', async () => {
  const own = ['/app', '/c/1/2', '/invite/abc?x=1#y', '/app/dm/7']
  const foreign = [
    '',
    'app',
    '//mallory.example',
    '///mallory.example',
    '/\\mallory.example',
    '/\t/mallory.example',
    '/\n/mallory.example',
    '/.//mallory.example',
    '/a/..//mallory.example',
    '/%2e//mallory.example',
    'https://mallory.example',
    'javascript:alert(1)',
    '/api/auth/oidc/start',
    '/./api/auth/oidc/start',
    '/app\r\nset-cookie: a=b',
    `/${'a'.repeat(600)}`,
  ]
  expect(own.filter((path) => !isOwnPath(path))).toEqual([])
  expect(foreign.filter(isOwnPath)).toEqual([])
  const visitor = new Visitor(parley)
  for (const path of foreign) {
    const answer = await visitor.get(`/api/auth/oidc/start?return_to=${encodeURIComponent(path)}`)
    expect([path, answer.status]).toEqual([path, 422])
  }
})

test('another site sends nobody to the provider, whose session would log its visitor in without a click', async () => {
  const subject = personAtProvider('nina')
  const nina = new Visitor(parley)
  for (const site of ['cross-site', 'same-site']) {
    const sent = await nina.get('/api/auth/oidc/start?return_to=/app&invite_code=abc', { 'sec-fetch-site': site })
    expect([site, sent.status, sent.headers.get('location')]).toEqual([site, 302, `${BASE}/login`])
    expect(sent.headers.has('set-cookie')).toBe(false)
  }
  expect(await sessionsOf(`${subject}@example.org`)).toBe(0)
  for (const site of ['same-origin', 'none', undefined]) {
    const own = await nina.get('/api/auth/oidc/start', site === undefined ? {} : { 'sec-fetch-site': site })
    expect(own.headers.get('location')).toStartWith(provider.issuer)
    expect(nina.cookie('oidc')).toBeString()
  }
  // The provider's site sends the browser back.
  const back = await nina.atProvider(await nina.start())
  const answer = await nina.get(back, { 'sec-fetch-site': 'cross-site' })
  expect(answer.headers.get('location')).toBe(`${BASE}/app`)
  expect(await sessionsOf(`${subject}@example.org`)).toBe(1)
})

test('an account is taken over only by an address that both sides have verified', async () => {
  const victim = await person(parley, 'victim')
  const attack = async (email_verified: boolean) => {
    personAtProvider('mallory', { email: victim.email.toUpperCase(), email_verified })
    const mallory = new Visitor(parley)
    const end = await mallory.logIn()
    return [end, mallory.cookie('session') !== undefined]
  }
  expect(await attack(true)).toEqual(['/login#sso=email_taken', false])
  expect(await attack(false)).toEqual(['/login#sso=email_taken', false])
  await sql`update users set email_verified_at = now() where id = ${victim.id}`
  expect(await attack(false)).toEqual(['/login#sso=email_taken', false])
  // The text "true" is not the boolean true.
  personAtProvider('mallory', { email: victim.email, email_verified: 'true' })
  expect(await new Visitor(parley).logIn()).toBe('/login#sso=email_taken')
  expect((await sql`select 1 from identities where user_id = ${victim.id}`).length).toBe(0)
  expect(await attack(true)).toEqual(['/app', true])
  const events = await sql`select body from events where user_id = ${victim.id} and type = 'security.changed'`
  expect(events.length).toBe(1)
})

test('a provider that states no valid address opens no account, and the log says why', async () => {
  const log = spyOn(parley.parts, 'log')
  for (const email of [undefined, 'nobody', `${'a'.repeat(300)}@example.org`, 'a@example.org\r\nBcc: b@example.org']) {
    personAtProvider('grace', { email })
    expect(await new Visitor(parley).logIn()).toBe('/login#sso=oidc_failed')
    const message = 'The identity provider sent no valid e-mail address'
    expect(log).toHaveBeenLastCalledWith('warn', 'oidc.failed', { message })
    log.mockClear()
  }
  log.mockRestore()
})

test('the log says why a statement of the provider is refused', async () => {
  const log = spyOn(parley.parts, 'log')
  const message = async (path: string, status: number, body: object) => {
    personAtProvider('judy')
    provider.instead = ({ url }, response) => {
      if (url !== path) return false
      response.statusCode = status
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
      return true
    }
    expect(await new Visitor(parley).logIn()).toBe('/login#sso=oidc_failed')
    provider.instead = undefined
    return log.mock.calls.findLast(([, event]) => event === 'oidc.failed')?.[2]?.message
  }
  // LemonLDAP::NG signs so with the client's secret, unless it is configured otherwise.
  const id_token = `${btoa('{"alg":"HS512"}')}.${btoa('{}')}.AAAA`.replaceAll('=', '')
  const tokens = { access_token: 'a', token_type: 'Bearer', id_token }
  expect(await message('/token', 200, tokens)).toMatch(/: unexpected JWT "alg" header parameter$/)
  expect(await message('/token', 400, { error: 'invalid_grant' })).toEndWith(': invalid_grant')
  expect(await message('/token', 418, {})).toEndWith(': 418')
  log.mockRestore()
})

test('an account has its own name, whatever the provider calls the person', async () => {
  const holder = await person(parley, 'taken')
  const names = [holder.username, '', 'Ädmin <b>', '../../etc', '管理者', 'x'.repeat(300), 'a\0b', 7]
  for (const preferred_username of names) {
    personAtProvider('heidi', { preferred_username, name: `${'\u0301'.repeat(200)}\u202e${preferred_username}` })
    const visitor = new Visitor(parley)
    expect([preferred_username, await visitor.logIn()]).toEqual([preferred_username, '/app'])
    const { username, display_name } = await visitor.who()
    expect(username).toMatch(/^[a-z0-9_.-]{2,32}$/)
    expect(username).not.toBe(holder.username)
    expect(display_name.length).toBeLessThanOrEqual(64)
  }
})

test('a link that was begun ends with its session and with its proof', async () => {
  const ivan = await person(parley, 'ivan')
  const visitor = new Visitor(parley)
  const begin = async () => {
    await prove(ivan)
    const { body } = await visitor.post('/api/auth/oidc/link', ivan.token, {})
    return visitor.atProvider(body.url)
  }
  personAtProvider('ivan')
  const unproven = await begin()
  await sql`update sessions set proven_at = null where user_id = ${ivan.id}`
  expect(await visitor.land(unproven)).toBe('/app#sso=proof_required')
  const ended = await begin()
  expect((await ivan.post('/api/auth/logout-all')).status).toBe(200)
  expect(await visitor.land(ended)).toBe('/app#sso=token_revoked')
  expect((await sql`select 1 from identities where user_id = ${ivan.id}`).length).toBe(0)
  // Another site cannot begin a link with a session's cookie.
  const judy = await person(parley, 'judy')
  const answer = await call(parley, 'POST', '/api/auth/oidc/link', {
    body: {},
    headers: { cookie: `session=${judy.token}`, origin: 'https://mallory.example' },
  })
  expect(answer.body.code).toBe('csrf')
})

test('a suspended account is not let in by the provider', async () => {
  personAtProvider('kim')
  const visitor = new Visitor(parley)
  await visitor.logIn()
  const kim = await visitor.who()
  await sql`update users set suspended_at = now(), suspended_reason = 'spam' where id = ${kim.id}`
  expect(await new Visitor(parley).logIn()).toBe('/login#sso=account_suspended')
})

test('a person who leaves the provider’s page, or is refused there, sees why', async () => {
  provider.next = ''
  const visitor = new Visitor(parley)
  expect(await visitor.logIn()).toBe('/login#sso=oidc_failed')
  const program = new Visitor(parley, '*/*')
  const back = await program.get(await program.atProvider(await program.start()))
  expect([back.status, back.body.code]).toEqual([401, 'oidc_failed'])
})

test('neither cookie nor URL of an attempt reveals the verifier', async () => {
  const visitor = new Visitor(parley)
  const url = new URL(await visitor.start())
  expect(url.searchParams.get('code_challenge_method')).toBe('S256')
  for (const name of ['state', 'nonce', 'code_challenge']) expect(url.searchParams.get(name)?.length).toBe(43)
  const cookie = Buffer.from(visitor.cookie('oidc') ?? '', 'base64url').toString('latin1')
  for (const part of ['verifier', 'login', url.searchParams.get('state') ?? '']) expect(cookie).not.toContain(part)
})
