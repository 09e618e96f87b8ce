import { expect, test } from 'bun:test'
import { boot, call, person, stop } from '../../support/harness.ts'
import { IdentityProvider } from '../../support/identity-provider.ts'
import { Mailbox } from '../../support/mailbox.ts'
import { promote } from '../../support/operators.ts'
import { BASE, REDIRECT } from '../../support/single-sign-on.ts'

test('an operator sees the state of outgoing mail and of the identity provider', async () => {
  const [mailbox, provider] = [await Mailbox.open(), await IdentityProvider.open({ redirect_uris: [REDIRECT] })]
  const variables = { PUBLIC_URL: BASE, ...mailbox.variables(), ...provider.variables() }
  const parley = await boot(variables)
  const olga = await person(parley, 'olga')
  await promote(olga)
  const well = (await olga.get('/api/operator/health')).body
  expect(well).toContainEqual({ part: 'mail', level: 'ok', state: 'ok' })
  expect(well).toContainEqual({ part: 'identity_provider', level: 'ok', state: 'ok' })
  expect(mailbox.mails).toEqual([])
  await parley.parts.sql`insert into mail_outbox (user_id, address, template, created_at, due_at, attempts)
    values (${olga.id}, 'olga@example.org', 'verify', now() - interval '6 minutes', now() + interval '1 hour', 3)`
  expect((await olga.get('/api/operator/health')).body).toContainEqual({
    part: 'mail',
    level: 'warning',
    state: 'delayed',
  })

  await Promise.all([mailbox.close(), provider.close()])
  const later = await boot(variables, parley)
  const away = (await call(later, 'GET', '/api/operator/health', { token: olga.token })).body
  expect(away).toContainEqual({ part: 'mail', level: 'error', state: 'away' })
  expect(away).toContainEqual({ part: 'identity_provider', level: 'error', state: 'away' })
  await stop(later)
  await stop(parley)
})

test('mail and single sign-on that are off are in order', async () => {
  const parley = await boot()
  const olga = await person(parley, 'olga')
  await promote(olga)
  for (const part of ['mail', 'identity_provider'])
    expect((await olga.get('/api/operator/health')).body).toContainEqual({ part, level: 'ok', state: 'off' })
  await stop(parley)
})
