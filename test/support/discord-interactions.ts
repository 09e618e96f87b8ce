import { afterAll, expect } from 'bun:test'
import { type Client, Events, type Interaction, SlashCommandBuilder } from 'discord.js'
import { addBot, botOf, unhurried } from './bots.ts'
import { loggedIn } from './discord.ts'
import { boot, newServer, person, stop } from './harness.ts'
import { connect } from './socket.ts'

/**
 * A server of alice and bob with a bot of discord.js, whose commands bob uses. Ends after the tests of the file.
 * @param names of the commands, which take a `bird`
 */
export async function discordInteractions(...names: string[]) {
  const parley = await boot()
  await unhurried(parley)
  const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
  const home = await newServer(alice, bob)
  const bot = await botOf(alice, 'Dice')
  await addBot(alice, home.server_id, bot)
  const client = await loggedIn(parley, bot)
  const seen = await connect(bob)
  afterAll(async () => {
    seen.close()
    await client.destroy()
    await stop(parley)
  })
  await client.application.commands.set(
    names.map((name) =>
      new SlashCommandBuilder()
        .setName(name)
        .setDescription('Of a test')
        .addStringOption((option) => option.setName('bird').setDescription('A bird').setAutocomplete(true)),
    ),
  )
  const offered = (await bob.get(`/api/channels/${home.channel_id}/commands`)).body
  const idOf = (name: string): number => offered.find((command: any) => command.name === name).id
  /** Answers the next interaction, as a bot's program does. @returns a function that throws the fault of the answer */
  const answerBy = (answer: (interaction: any) => Promise<unknown>, of: Client = client) => {
    let fault: unknown
    of.once(Events.InteractionCreate, (interaction: Interaction) => {
      answer(interaction).catch((error: unknown) => {
        fault = error
        console.error(error)
      })
    })
    return () => {
      if (fault) throw fault
    }
  }
  /** Begins an interaction of bob's. @returns its id */
  const ask = async (draft: object): Promise<number> => {
    const begun = await bob.post('/api/interactions', { channel_id: home.channel_id, ...draft })
    expect([begun.status, begun.body.errors]).toEqual([201, undefined])
    return begun.body.id
  }
  const use = (name: string, options = {}) => ask({ kind: 'command', command_id: idOf(name), options })
  const answered = async (id: number, kind: string) =>
    (await seen.next('interaction.answered', ({ d }) => d.interaction_id === id && d.kind === kind)).d
  const messageOf = async (id: number) => (await bob.get(`/api/messages/${id}`)).body
  return { parley, alice, bob, home, bot, client, seen, idOf, answerBy, ask, use, answered, messageOf }
}
