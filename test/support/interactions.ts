import { expect } from 'bun:test'
import { addBot, botOf } from './bots.ts'
import type { Person } from './harness.ts'
import { place } from './places.ts'
import { connect } from './socket.ts'

/** An option of a command. */
export const option = (name: string, type: string, more: object = {}) => ({
  name,
  description: 'Of a test',
  type,
  ...more,
})
export const button = (custom_id: string) => ({ type: 'button', label: 'Again', custom_id })

/** An interaction that a bot received. */
export interface Asked {
  id: number
  token: string
}

/** The first answer to an interaction. */
export const answer = (bot: Person, { id, token }: Asked, draft: object) =>
  bot.post(`/api/interactions/${id}/answer`, { token, ...draft })

/** @returns a function that makes a server of these people with a bot that has some commands */
export const stageOf =
  (alice: Person, bob: Person) =>
  async (...drafts: object[]) => {
    const home = await place(alice, bob)
    const bot = await botOf(alice, 'Dice')
    await addBot(alice, home.server_id, bot)
    const commands = drafts.length > 0 ? drafts : [{ name: 'roll', description: 'Rolls dice' }]
    const put = await bot.put('/api/applications/@me/commands', commands)
    expect([put.status, put.body.errors]).toEqual([200, undefined])
    const idOf = (name: string): number => put.body.find((command: any) => command.name === name).id
    const [botSocket, seen] = [await connect(bot), await connect(bob)]
    const ask = (command_id: number, more: object = {}, who = bob) =>
      who.post('/api/interactions', { kind: 'command', channel_id: home.channel_id, command_id, ...more })
    /** Asks, and waits for what the bot hears. */
    const begin = async (draft: object, who = bob) => {
      const begun = await who.post('/api/interactions', draft)
      expect([begun.status, begun.body.errors]).toEqual([201, undefined])
      return (await botSocket.next('interaction.created', ({ d }) => d.id === begun.body.id)).d
    }
    const use = (command_id: number, more: object = {}) =>
      begin({ kind: 'command', channel_id: home.channel_id, command_id, ...more })
    const nextAnswer = async (id: number, kind: string) =>
      (await seen.next('interaction.answered', ({ d }) => d.interaction_id === id && d.kind === kind)).d
    const close = () => [botSocket, seen].forEach((gateway) => gateway.close())
    return { ...home, bot, idOf, ask, begin, use, nextAnswer, heard: botSocket, seen, close }
  }
