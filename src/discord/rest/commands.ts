import { z } from 'zod'
import type { BotCommand } from '../../features/interactions/model.ts'
import { Unknown } from '../refusals.ts'
import { CommandBody, discordCommand, parleyCommand } from '../shapes/commands.ts'
import { parseBody } from './bodies.ts'
import type { Call, Reply } from './call.ts'
import { route } from './router.ts'

// A bot's commands. Parley replaces them all at once, so the routes for one command read, change and replace.

const COMMANDS = '/applications/:application/commands'
const GUILD_COMMANDS = '/applications/:application/guilds/:guild/commands'

/** The path of the bot's commands. @throws Unknown for another application */
async function pathOf(call: Call): Promise<string> {
  if ((await call.id('user', 'application')) !== call.me.id) throw new Unknown('user')
  if (call.param('guild') === '') return '/api/applications/@me/commands'
  return `/api/applications/@me/commands?server_id=${await call.id('server', 'guild')}`
}

const show = (call: Call, commands: BotCommand[]): Promise<object[]> =>
  call.resolve((of) => commands.map((command) => discordCommand(of, command)))

/** A command as Parley's API takes it back. */
const draftOf = (command: BotCommand) => ({
  ...command,
  // Absent in JSON: drafts have none of these.
  id: undefined,
  application_id: undefined,
  server_id: undefined,
})

async function list(call: Call): Promise<Reply> {
  return show(call, await call.own<BotCommand[]>('GET', await pathOf(call)))
}

async function replace(call: Call): Promise<Reply> {
  const path = await pathOf(call)
  const drafts = parseBody(z.array(CommandBody), call.body).map(parleyCommand)
  return show(call, await call.own<BotCommand[]>('PUT', path, drafts))
}

/** Replaces the commands by a change of them. @returns the command of this kind and name */
async function change(
  call: Call,
  next: (drafts: ReturnType<typeof draftOf>[]) => unknown[],
  isIt: (command: BotCommand) => boolean,
): Promise<Reply> {
  const path = await pathOf(call)
  const before = await call.own<BotCommand[]>('GET', path)
  const after = await call.own<BotCommand[]>('PUT', path, next(before.map(draftOf)))
  const [command] = await show(call, after.filter(isIt))
  return command
}

async function add(call: Call): Promise<Reply> {
  const draft = parleyCommand(parseBody(CommandBody, call.body))
  const isIt = ({ kind, name }: { kind: string; name: string }) => kind === draft.kind && name === draft.name
  return change(call, (drafts) => [...drafts.filter((each) => !isIt(each)), draft], isIt)
}

/** The command in the path. @throws Unknown */
async function commandOf(call: Call): Promise<BotCommand> {
  const id = await call.id('command')
  const commands = await call.own<BotCommand[]>('GET', await pathOf(call))
  const command = commands.find((each) => each.id === id)
  if (!command) throw new Unknown('command')
  return command
}

async function edit(call: Call): Promise<Reply> {
  const before = await commandOf(call)
  const [shownBefore] = await show(call, [before])
  const draft = parleyCommand(parseBody(CommandBody, { ...shownBefore, ...(call.body as object) }))
  const isBefore = (each: { kind: string; name: string }) => each.kind === before.kind && each.name === before.name
  return change(
    call,
    (drafts) => [...drafts.filter((each) => !isBefore(each)), draft],
    ({ kind, name }) => kind === draft.kind && name === draft.name,
  )
}

async function remove(call: Call): Promise<Reply> {
  const { kind, name } = await commandOf(call)
  await change(
    call,
    (drafts) => drafts.filter((each) => each.kind !== kind || each.name !== name),
    () => false,
  )
  return undefined
}

/** Parley has no permissions of single commands in a server. */
const PERMISSIONS = [`${GUILD_COMMANDS}/permissions`, `${GUILD_COMMANDS}/:command/permissions`]

export const commandRoutes = [COMMANDS, GUILD_COMMANDS]
  .flatMap((base) => [
    route('GET', base, 'server', list),
    route('PUT', base, 'server', replace),
    route('POST', base, 'server', add),
    route('GET', `${base}/:command`, 'command', async (call) => (await show(call, [await commandOf(call)]))[0]),
    route('PATCH', `${base}/:command`, 'command', edit),
    route('DELETE', `${base}/:command`, 'command', remove),
  ])
  .concat(PERMISSIONS.map((path) => route('GET', path, 'server', async () => [])))
