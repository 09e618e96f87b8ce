import type { z } from 'zod'
import type { Parts } from '../parts.ts'
import type { Handlers } from '../core/events.ts'
import { Problem } from '../core/errors.ts'
import { fieldErrors } from '../core/validation.ts'
import { acknowledge } from '../features/messages/acknowledge.ts'
import { typeIn, typeTo } from '../features/messages/typing.ts'
import type { Voice } from '../voice/voice.ts'
import type { Gateway } from './gateway.ts'
import { type CommandName, commands, OPENED_PER_MINUTE_MAX } from './model.ts'
import type { SocketData } from './socket.ts'

type Arguments = { [K in CommandName]: z.infer<(typeof commands)[K]['d']> }
/** The schemas of the arguments, typed so that TypeScript relates each to its handler. */
const schemas: { [K in CommandName]: { d: z.ZodType<Arguments[K]> } } = commands

/** The gateway's commands. @returns a function that runs one */
export function openCommands(parts: Parts, gateway: Pick<Gateway, 'presence' | 'focus' | 'openServers'>, voice: Voice) {
  const { presence, focus } = gateway
  const handlers: Handlers<typeof commands, SocketData> = {
    ...voice.handlers,

    ping: async () => ({}),

    'typing.start': async ({ user_id }, d) =>
      'user_id' in d
        ? typeTo(parts, user_id, d.user_id, presence.isInvisible(user_id))
        : typeIn(parts, user_id, d.channel_id, presence.isInvisible(user_id)),

    'presence.set': async ({ user_id }, { status }) => {
      presence.set(user_id, status)
      return {}
    },

    'focus.set': async (socket, { channel_id }) => {
      focus.set(socket, channel_id)
      return {}
    },

    'server.open': async (socket, { server_ids }) => {
      const ids = [...new Set(server_ids)]
      // The counter begins anew with each minute.
      if (socket.opened + ids.length > OPENED_PER_MINUTE_MAX)
        throw new Problem('rate_limited', 'Too many servers opened', {
          retry_after: Math.ceil(60 - ((socket.heardAt / 1000) % 60)),
        })
      socket.opened += ids.length
      const opened = await gateway.openServers(socket, ids)
      if (opened.length === 0) throw new Problem('not_found')
      return { server_ids: opened }
    },

    'channel.ack': async ({ user_id }, mark) => acknowledge(parts.write, user_id, mark),
  }

  const runNamed = async <K extends CommandName>(socket: SocketData, name: K, d: unknown): Promise<unknown> => {
    const parsed = schemas[name].d.safeParse(d ?? {})
    if (!parsed.success) throw new Problem('validation_failed', undefined, { errors: fieldErrors(parsed.error, 'd') })
    return handlers[name](socket, parsed.data)
  }

  /** @throws Problem when the command refuses; `validation_failed` for an unknown command */
  return async (socket: SocketData, op: string, d: unknown): Promise<unknown> => {
    if (!isCommand(op)) throw unknownCommand(op)
    return runNamed(socket, op, d)
  }
}

const isCommand = (op: string): op is CommandName => Object.hasOwn(commands, op)

export type RunCommand = ReturnType<typeof openCommands>

const unknownCommand = (op: string) =>
  new Problem('validation_failed', 'There is no such command', {
    errors: [{ path: 'op', message: `Unknown command ${op.slice(0, 64)}` }],
  })
