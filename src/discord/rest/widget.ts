import { z } from 'zod'
import { Problem } from '../../core/errors.ts'
import { demand, membership } from '../../features/access/guard.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// The widget and the address of a server, which Parley does not have. Programs turn the widget off without need.

const WidgetBody = z.object({ enabled: z.boolean().nullish(), channel_id: z.string().nullish() })
const OFF = { enabled: false, channel_id: null }

async function demandManager(call: Call): Promise<void> {
  const { permissions } = await membership(call.tools.parts.sql, await call.id('server', 'guild'), call.me.id)
  demand(permissions, 'manage_server')
}

async function widget(call: Call): Promise<Reply> {
  await demandManager(call)
  return OFF
}

async function editWidget(call: Call): Promise<Reply> {
  await demandManager(call)
  if (parseBody(WidgetBody, call.body).enabled) throw new Problem('forbidden', 'Parley has no widgets')
  return OFF
}

async function vanity(call: Call): Promise<Reply> {
  await demandManager(call)
  return { code: null, uses: 0 }
}

export const widgetRoutes = [
  route('GET', '/guilds/:guild/widget', 'server', widget),
  route('PATCH', '/guilds/:guild/widget', 'server', editWidget),
  route('GET', '/guilds/:guild/vanity-url', 'server', vanity),
]
