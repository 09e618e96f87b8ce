import type { PublicUser } from '../../core/schema.ts'
import type { Lookup } from '../lookup.ts'
import { userOf } from './users.ts'

/** A bot of a server as Discord's integration. */
export function integrationOf(of: Lookup, user: PublicUser) {
  const id = of.id('user', user.id)
  const { display_name: name } = user
  return {
    id,
    name,
    type: 'discord',
    enabled: true,
    account: { id, name },
    application: { id, name, icon: null, description: '', bot: userOf(of, user) },
  }
}
