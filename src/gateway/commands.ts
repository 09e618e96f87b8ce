import type { z } from 'zod'
import type { Parts } from '../parts.ts'
import { ephemeralFrame, type Handlers, topic } from '../core/events.ts'
import { found, Problem } from '../core/errors.ts'
import type { PublicUser } from '../core/schema.ts'
import { fieldErrors } from '../core/validation.ts'
import { demandContact } from '../features/dms/conversation.ts'
import { demand, visibleChannel } from '../features/servers/guard.ts'
import type { Voice } from '../voice/voice.ts'
import { type CommandName, commands } from './model.ts'
import type { Presence } from './presence.ts'
import type { SocketData } from './socket.ts'

type Arguments = { [K in CommandName]: z.infer<(typeof commands)[K]['d']> }
/** The schemas of the arguments, typed so that TypeScript relates each to its handler. */
const schemas: { [K in CommandName]: { d: z.ZodType<Arguments[K]> } } = commands

/** The gateway's commands. @returns the function that runs one */
export function openCommands({ sql, write, bus }: Parts, presence: Presence, voice: Voice) {
  const typeToUser = (user_id: number, to: number) =>
    sql.begin(async (tx) => {
      if (user_id === to) throw new Problem('cannot_target_self')
      await tx`select lock_pair(${user_id}, ${to})`
      const [row] = await tx<{ user: PublicUser }[]>`
        select public_user(u) as user from users u, users other where u.id = ${user_id} and other.id = ${to}`
      const { user } = found(row)
      await demandContact(tx, user_id, to)
      bus.publish(ephemeralFrame(topic.user(to), 'typing.started', { user_id, user }))
      return {}
    })

  const handlers: Handlers<typeof commands, SocketData> = {
    ...voice.handlers,

    ping: async () => ({}),

    // Published before the commit: until then no member loses sight of the channel.
    'typing.start': async ({ user_id }, d) => {
      if ('user_id' in d) return typeToUser(user_id, d.user_id)
      const { channel_id } = d
      return sql.begin(async (tx) => {
        const [row] = await tx<{ user: PublicUser }[]>`
          select public_user(u) as user, share_access(c.server_id) from users u, channels c
          where u.id = ${user_id} and c.id = ${channel_id}`
        const channel = await visibleChannel(tx, channel_id, user_id)
        demand(channel.permissions, 'send_messages')
        const { user } = found(row)
        bus.publish(ephemeralFrame(topic.channel(channel), 'typing.started', { channel_id, user }))
        return {}
      })
    },

    'presence.set': async ({ user_id }, { status }) => {
      presence.set(user_id, status)
      return {}
    },

    'channel.ack': async ({ user_id }, { channel_id, message_id }) =>
      write(async (tx, emit) => {
        // Locks the server's access, so that the channel cannot be deleted meanwhile.
        await tx`select share_access(server_id) from channels where id = ${channel_id}`
        const { server_id } = await visibleChannel(tx, channel_id, user_id)
        // The newest message may have been deleted: the channel's last_message_id names it all the same.
        const [message] = await tx`
          select 1 from messages where id = ${message_id} and channel_id = ${channel_id}
          union all
          select 1 from channels c where c.id = ${channel_id} and last_message_id(c) = ${message_id}`
        found(message)
        const [moved] = await tx<{ message_id: number }[]>`
          insert into read_marks as mark (user_id, channel_id, message_id)
          values (${user_id}, ${channel_id}, ${message_id})
          on conflict (user_id, channel_id) do update set message_id = excluded.message_id
            where mark.message_id < excluded.message_id returning message_id`
        if (moved) emit(topic.user(user_id, { server_id, channel_id }), 'channel.read', { channel_id, message_id })
        const [mark] = await tx<{ message_id: number }[]>`
          select message_id from read_marks where user_id = ${user_id} and channel_id = ${channel_id}`
        return { channel_id, ...found(mark) }
      }),
  }

  const runNamed = async <K extends CommandName>(socket: SocketData, name: K, d: unknown): Promise<unknown> => {
    const parsed = schemas[name].d.safeParse(d ?? {})
    if (!parsed.success) throw new Problem('validation_failed', undefined, { errors: fieldErrors(parsed.error, 'd') })
    return handlers[name](socket, parsed.data)
  }

  /** @throws Problem as the command refuses, `validation_failed` for one that does not exist */
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
