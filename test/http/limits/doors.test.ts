import { afterAll, afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test'
import { Authenticator } from '../../support/authenticator.ts'
import { addBot, botOf } from '../../support/bots.ts'
import { prepareProof } from '../../support/factors.ts'
import { boot, call, type CallOptions, type Person, stop } from '../../support/harness.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { BASE, REDIRECT } from '../../support/single-sign-on.ts'
import { post, webhook } from '../../support/webhooks.ts'

// Each limit of accounts and of other programs, tested at every route that it guards. The clock stands still, so that
// no
// bucket refills meanwhile, and each test has its own people and addresses.
const [mailbox, provider] = [await Mailbox.open(), await IdentityProvider.open({ redirect_uris: [REDIRECT] })]
const parley = await boot({
  ...mailbox.variables(),
  ...provider.variables(),
  PUBLIC_URL: BASE,
  RATE_LIMITS: 'on',
  TRUSTED_PROXIES: '127.0.0.1',
})
afterAll(async () => {
  await stop(parley)
  await Promise.all([mailbox.close(), provider.close()])
})

let now = 0
beforeEach(() => {
  setSystemTime()
  now = Date.now()
  setSystemTime(now)
})
afterEach(() => {
  setSystemTime()
})

let addresses = 0
/** An address without other clients. */
const address = () => `10.1.${addresses >> 8}.${addresses++ & 255}`
const from = (ip: string, method: string, path: string, options: CallOptions = {}) =>
  call(parley, method, path, { ...options, headers: { ...options.headers, 'x-forwarded-for': ip } })

interface Asked {
  status: number
  headers: Headers
  body: any
}
/** One request to a route; `at` is its number, for values that must not repeat. */
type Ask = (at: number) => Promise<Asked>

interface Door {
  title: string
  /** In the form of `ratelimit-policy`. */
  policy: string
  /** Number of requests that are allowed at once. */
  burst: number
  /** Seconds after which the refusal allows the next request. */
  retry_s: number
  /** @returns the requests of one account, and of another account, which must always be allowed */
  scene: () => Promise<[ask: Ask, other: Ask]>
}

const two = () => passersBy(parley, 'alice', 'bob')
/** The same request by two people. */
const byBoth = (ask: (who: Person, at: number) => Promise<Asked>) => async (): Promise<[Ask, Ask]> => {
  const [alice, bob] = await two()
  return [(at) => ask(alice, at), (at) => ask(bob, at)]
}
/** The same request by two bots of one owner. */
const byBots = (ask: (bot: Person, at: number) => Promise<Asked>) => async (): Promise<[Ask, Ask]> => {
  const [alice] = await two()
  const [flood, calm] = [await botOf(alice, 'Flood'), await botOf(alice, 'Calm')]
  return [(at) => ask(flood, at), (at) => ask(calm, at)]
}
/** The requests of a list in turn. */
const inTurn = <T>(list: T[], at: number) => list[at % list.length] as T

const TOKEN = 'A'.repeat(43)
const WAITING = '/api/interactions/1'

const accountDoors: Door[] = [
  {
    title: 'logins by passkey of an address',
    policy: '"login-address";q=30;w=900',
    burst: 30,
    retry_s: 900,
    scene: async () => {
      const options = await from(address(), 'POST', '/api/auth/login/passkey/options')
      const body = { passkey: new Authenticator(BASE).answer(options.body) }
      const [here, there] = [address(), address()]
      const ask = (ip: string) => () => from(ip, 'POST', '/api/auth/login/passkey', { body })
      return [ask(here), ask(there)]
    },
  },
  {
    title: 'returns from the identity provider of an address',
    policy: '"login-address";q=30;w=900',
    burst: 30,
    retry_s: 900,
    scene: async () => {
      const [here, there] = [address(), address()]
      const started = await from(here, 'GET', '/api/auth/oidc/start')
      const state = new URL(started.headers.get('location') ?? '').searchParams.get('state') ?? ''
      const [cookie = ''] = (started.headers.get('set-cookie') ?? '').split(';')
      const path = `/api/auth/oidc/callback?${new URLSearchParams({ state, error: 'access_denied' })}`
      const ask = (ip: string) => () => from(ip, 'GET', path, { headers: { cookie } })
      return [ask(here), ask(there)]
    },
  },
  {
    title: 'changes of the e-mail address of an account',
    policy: '"email";q=5;w=3600',
    burst: 5,
    retry_s: 3600,
    scene: byBoth(async (who, at) => {
      await prepareProof(who)
      return who.put('/api/auth/email', { email: `${who.id}.${at}@example.org` })
    }),
  },
  {
    title: 'links to one’s own e-mail address sent again',
    policy: '"email";q=5;w=3600',
    burst: 5,
    retry_s: 3600,
    scene: byBoth((who) => who.post('/api/auth/email/resend')),
  },
  {
    title: 'changes of several accounts to one e-mail address',
    policy: '"email-mailbox";q=3;w=3600',
    burst: 3,
    retry_s: 3600,
    scene: async () => {
      const people = [...(await two()), ...(await two()), ...(await two()), ...(await two())]
      const change = async (at: number, email: string) => {
        const who = inTurn(people, at)
        await prepareProof(who)
        return who.put('/api/auth/email', { email })
      }
      const [one, other] = [address(), address()].map((ip) => `${ip}@example.org`)
      return [
        (at) => change(at, at % 2 ? `${one}`.toUpperCase() : `${one}`),
        (at) => change(at + people.length / 2, `${other}`),
      ]
    },
  },
  {
    title: 'links to imported messages used by an account',
    policy: '"claims";q=30;w=3600',
    burst: 30,
    retry_s: 3600,
    scene: byBoth((who) => who.post('/api/users/@me/imported-messages', { token: TOKEN })),
  },
]

const botDoors: Door[] = [
  {
    title: 'requests of a bot of any kind',
    policy: '"bots";q=100;w=2',
    burst: 100,
    retry_s: 1,
    scene: byBots((bot) => bot.get('/api/auth/me')),
  },
  {
    title: 'answers, their changes and follow-ups of a bot',
    policy: '"answers";q=60;w=3',
    burst: 60,
    retry_s: 1,
    scene: byBots((bot, at) =>
      inTurn(
        [
          () => bot.post(`${WAITING}/answer`, { kind: 'deferred', token: TOKEN }),
          () => bot.put(`${WAITING}/answer`, { content: 'A 5', token: TOKEN }),
          () => bot.post(`${WAITING}/follow-ups`, { content: 'A 5', token: TOKEN }),
        ],
        at,
      )(),
    ),
  },
  {
    title: 'replacements of a bot’s commands',
    policy: '"commands";q=20;w=200',
    burst: 20,
    retry_s: 10,
    scene: byBots((bot) => bot.put('/api/applications/@me/commands', [])),
  },
  {
    title: 'changes that a bot makes of its application',
    policy: '"application-changes";q=10;w=100',
    burst: 10,
    retry_s: 10,
    scene: byBots((bot, at) => bot.put('/api/applications/@me', { description: `${at}` })),
  },
]

const peopleDoors: Door[] = [
  {
    title: 'commands that a person uses',
    policy: '"interactions";q=20;w=20',
    burst: 20,
    retry_s: 1,
    scene: byBoth((who) => who.post('/api/interactions', { kind: 'command', channel_id: 1, command_id: 1 })),
  },
  {
    title: 'suggestions that a person asks for while typing',
    policy: '"autocomplete";q=30;w=6',
    burst: 30,
    retry_s: 1,
    scene: byBoth((who) =>
      who.post('/api/interactions', { kind: 'autocomplete', channel_id: 1, command_id: 1, focused: 'bird' }),
    ),
  },
  {
    title: 'lists of commands that a person reads',
    policy: '"command-lists";q=30;w=15',
    burst: 30,
    retry_s: 1,
    scene: async () => {
      const [alice, bob] = await two()
      const { channel_id } = await place(alice, bob)
      const ask = (who: Person) => () => who.get(`/api/channels/${channel_id}/commands`)
      return [ask(alice), ask(bob)]
    },
  },
  {
    title: 'applications that a person makes',
    policy: '"applications";q=10;w=1000',
    burst: 10,
    retry_s: 100,
    scene: byBoth((who) => who.post('/api/applications', { name: 'Dice' })),
  },
  {
    title: 'changes of applications, new tokens and additions to servers by a person',
    policy: '"application-changes";q=10;w=100',
    burst: 10,
    retry_s: 10,
    scene: async () => {
      const people = await two()
      const asks = people.map(async (who): Promise<Ask> => {
        const { server_id } = await place(who)
        const { id } = await botOf(who, 'Dice')
        const all = [
          () => who.put(`/api/applications/${id}`, { description: 'Rolls dice' }),
          () => who.post(`/api/applications/${id}/token`),
          () => who.put(`/api/servers/${server_id}/applications/${id}`, { permissions: 0 }),
        ]
        return (at) => inTurn(all, at)()
      })
      return (await Promise.all(asks)) as [Ask, Ask]
    },
  },
  {
    title: 'webhooks that a person makes, changes and renews',
    policy: '"webhooks";q=20;w=100',
    burst: 20,
    retry_s: 5,
    scene: async () => {
      const asks = (await two()).map(async (who): Promise<Ask> => {
        const { channel_id } = await place(who)
        const { body } = await who.get(`/api/channels/${channel_id}/webhooks`)
        expect(body).toEqual([])
        let id = 0
        const all = [
          async () => {
            const response = await who.post(`/api/channels/${channel_id}/webhooks`, { name: 'Grafana' })
            id = response.body.id
            return response
          },
          () => who.put(`/api/webhooks/${id}`, { name: 'Grafana' }),
          () => who.post(`/api/webhooks/${id}/rotate`),
        ]
        return (at) => inTurn(all, at)()
      })
      return (await Promise.all(asks)) as [Ask, Ask]
    },
  },
]

const refused = ({ status, headers, body }: Asked) => [
  status,
  body.code,
  body.retry_after,
  Number(headers.get('retry-after')),
  headers.get('ratelimit-policy'),
]

describe.each([...accountDoors, ...botDoors, ...peopleDoors])('$title', ({ policy, burst, retry_s, scene }) => {
  test(`are refused after ${burst} at once, until the clock has moved, and others are not`, async () => {
    const [ask, other] = await scene()
    for (let at = 0; at < burst; at++) {
      const { status } = await ask(at)
      expect([at, status === 429 || status >= 500]).toEqual([at, false])
    }
    expect(refused(await ask(burst))).toEqual([429, 'rate_limited', retry_s, retry_s, policy])
    expect((await other(0)).status).not.toBe(429)
    setSystemTime(now + retry_s * 1000 + 1)
    expect((await ask(burst)).status).not.toBe(429)
  })
})

test('forms to webhooks of one account are refused after 100 MiB at once, those of others are not', async () => {
  const [alice, bob] = await two()
  const { channel_id } = await place(alice)
  const [one, second] = [await webhook(alice, channel_id), await webhook(alice, channel_id)]
  const others = await webhook(bob, (await place(bob)).channel_id)
  // Not a form: the limit counts its bytes, whatever their content.
  const send = (url: string, bytes: number) => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'x-forwarded-for': address() }
    return post(alice, url, new Uint8Array(bytes), { headers })
  }
  const sent = []
  for (const { url } of [one, second, one, second]) sent.push((await send(url, 25 * 1024 * 1024)).status)
  expect(sent).toEqual([400, 400, 400, 400])
  for (const { url } of [one, second]) {
    const { status, headers, body } = await send(url, 1)
    expect([status, body.retry_after, headers.get('ratelimit-policy')]).toEqual([
      429,
      1,
      '"webhook-uploads";q=100;w=100',
    ])
  }
  expect((await send(others.url, 1)).status).toBe(400)
  // Text does not count as an upload.
  expect((await post(alice, one.url, { content: 'hello' })).status).toBe(204)
  setSystemTime(now + 1000)
  expect((await send(one.url, 1)).status).toBe(400)
})

test('a bot that floods its server is refused, while another bot writes there and people are answered', async () => {
  const [alice, bob] = await two()
  const { server_id, channel_id } = await place(alice, bob)
  const [flood, calm] = [await botOf(alice, 'Flood'), await botOf(alice, 'Calm')]
  for (const bot of [flood, calm]) await addBot(alice, server_id, bot)
  const say = (who: Person) => who.post(`/api/channels/${channel_id}/messages`, { content: 'hello' })
  const flooding = Promise.all(Array.from({ length: 130 }, () => say(flood)))
  for (const who of [calm, bob, calm, alice]) expect((await say(who)).status).toBe(201)
  const statuses = (await flooding).map(({ status }) => status)
  expect(statuses.filter((status) => status === 201)).toHaveLength(100)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30)
})
