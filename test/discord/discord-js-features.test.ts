import { afterAll, expect, test } from 'bun:test'
import {
  AutoModerationActionType,
  AutoModerationRuleEventType,
  AutoModerationRuleTriggerType,
  ButtonBuilder,
  ButtonStyle,
  ChannelType,
  ContainerBuilder,
  type ForumChannel,
  type Guild,
  MessageFlags,
  SectionBuilder,
  SlashCommandBuilder,
  type TextChannel,
  TextDisplayBuilder,
} from 'discord.js'
import { permissions } from '../../src/core/permissions.ts'
import { addBot, botOf } from '../support/bots.ts'
import { expectListed } from '../support/discord-calls.ts'
import { apiOf, loggedIn } from '../support/discord.ts'
import { boot, newServer, person, say, stop } from '../support/harness.ts'

const parley = await boot()
const [alice, bob] = [await person(parley, 'alice'), await person(parley, 'bob')]
const home = await newServer(alice, bob)
const bot = await botOf(alice, 'Warden')
await addBot(alice, home.server_id, bot, permissions('administrator'))
const client = await loggedIn(parley, bot)
const guild = client.guilds.cache.first() as Guild
const general = guild.channels.cache.find(({ name }) => name === 'general') as TextChannel
afterAll(async () => {
  await client.destroy()
  await stop(parley)
})

const newest = async () => (await alice.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body[0]

test('a bot limits the mentions of its message', async () => {
  const [member] = (await guild.members.fetch({ query: bob.display_name, limit: 1 })).values()
  const content = `@everyone <@${member?.id}>`
  await general.send({ content, allowedMentions: { parse: [] } })
  expect(await newest()).toMatchObject({ content: `@everyone <@${bob.id}>`, mention_everyone: false, mention_ids: [] })
  await general.send({ content, allowedMentions: { users: [member?.id as string] } })
  expect(await newest()).toMatchObject({ mention_everyone: false, mention_ids: [bob.id] })
  const own = await general.send({ content, allowedMentions: { parse: ['everyone'] } })
  expect(await newest()).toMatchObject({ mention_everyone: true, mention_ids: [] })
  await own.edit({ content, allowedMentions: { parse: [] } })
  expect(await newest()).toMatchObject({ mention_everyone: false })
  const person = await bob.post(`/api/channels/${home.channel_id}/messages`, { content: 'Hi', allowed_mentions: {} })
  expect(person.status).toBe(422)
})

test('a bot takes back the reaction of another, as programs that turn pages do', async () => {
  const { id } = await say(alice, home.channel_id, 'Page 1')
  const emoji = encodeURIComponent('▶️')
  for (const who of [alice, bob]) await who.put(`/api/messages/${id}/reactions/${emoji}/@me`)
  const [message] = (await general.messages.fetch({ limit: 1 })).values()
  const users = await message?.reactions.cache.first()?.users.fetch()
  const other = users?.find(({ username }) => username === bob.display_name)
  await message?.reactions.cache.first()?.users.remove(other?.id as string)
  const { reactions } = (await bob.get(`/api/messages/${id}`)).body
  expect(reactions.map(({ count, me }: any) => [count, me])).toEqual([[1, false]])
  const { body: log } = await alice.get(`/api/servers/${home.server_id}/audit-log?limit=1`)
  expect(log[0]).toMatchObject({ action: 'message.reactions_cleared', target_id: id })
})

test('a forum and its posts are those of Discord', async () => {
  const forum = (await guild.channels.create({
    name: 'help',
    type: ChannelType.GuildForum,
    topic: 'Ask here',
    availableTags: [{ name: 'Owls', moderated: false, emoji: { name: '🦉', id: null } }, { name: 'Wrens' }],
  })) as ForumChannel
  expect([forum.topic, forum.availableTags.map(({ name }) => name)]).toEqual(['Ask here', ['Owls', 'Wrens']])
  const [owls] = forum.availableTags
  const post = await forum.threads.create({
    name: 'Which owl?',
    appliedTags: [owls?.id as string],
    message: { content: 'A brown one', files: [{ attachment: Buffer.from('a list'), name: 'list.txt' }] },
  })
  expect([post.name, post.appliedTags]).toEqual(['Which owl?', [owls?.id as string]])
  const [first] = (await post.messages.fetch()).values()
  expect([first?.content, first?.attachments.size]).toEqual(['A brown one', 1])
  await post.setAppliedTags([])
  expect(post.appliedTags).toEqual([])
  await forum.setAvailableTags([...forum.availableTags, { name: 'Larks' }])
  const { body: channels } = await bob.get(`/api/servers/${home.server_id}/channels`)
  const { tags } = channels.find(({ type }: any) => type === 'forum')
  expect(tags.map(({ name, emoji }: any) => [name, emoji])).toEqual([
    ['Owls', '🦉'],
    ['Wrens', null],
    ['Larks', null],
  ])
})

test('a poll of a bot can be voted in, counted and ended', async () => {
  const sent = await general.send({
    poll: {
      question: { text: 'Which day?' },
      answers: [{ text: 'Saturday', emoji: '🥾' }, { text: 'Sunday' }],
      duration: 2,
      allowMultiselect: false,
    },
  })
  const { id } = await newest()
  await bob.put(`/api/messages/${id}/poll/votes`, { answer_ids: [2] })
  const fetched = await general.messages.fetch({ message: sent.id, force: true })
  expect(fetched.poll?.answers.map(({ text, voteCount }) => [text, voteCount])).toEqual([
    ['Saturday', 0],
    ['Sunday', 1],
  ])
  const voters = await fetched.poll?.answers.get(2)?.voters.fetch()
  expect(voters?.map(({ username }) => username)).toEqual([bob.display_name])
  expect((await fetched.poll?.end())?.poll?.resultsFinalized).toBe(true)
})

test('components of the second version become text, cards and rows', async () => {
  const button = new ButtonBuilder().setCustomId('more').setLabel('More').setStyle(ButtonStyle.Secondary)
  const container = new ContainerBuilder()
    .setAccentColor(0x3366cc)
    .addTextDisplayComponents(new TextDisplayBuilder().setContent('A card'))
  const section = new SectionBuilder()
    .addTextDisplayComponents(new TextDisplayBuilder().setContent('Beside a button'))
    .setButtonAccessory(button)
  await general.send({
    flags: MessageFlags.IsComponentsV2,
    components: [new TextDisplayBuilder().setContent('Above'), section, container],
  })
  const message = await newest()
  expect(message.content).toBe('Above\nBeside a button')
  expect(message.embeds[0]).toMatchObject({ description: 'A card', color: '#3366cc' })
  expect(message.data.components).toMatchObject([[{ type: 'button', custom_id: 'more', label: 'More' }]])
})

test('components that are none are refused, and nothing is sent', async () => {
  const before = await newest()
  for (const components of [['owl'], [{ type: 'text' }], [{ type: 17, components: [null] }]]) {
    const response = await fetch(`${apiOf(parley)}/v10/channels/${general.id}/messages`, {
      method: 'POST',
      headers: { authorization: `Bot ${bot.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ content: 'Hi', components }),
    })
    expect([response.status, ((await response.json()) as any).code]).toEqual([400, 50035])
  }
  expect((await newest()).id).toBe(before.id)
})

test('names that are blank on purpose are accepted', async () => {
  await general.send({
    embeds: [{ fields: [{ name: '\u200b', value: '\u200b', inline: true }], title: 'A table' }],
    components: [
      {
        type: 1,
        components: [{ type: 2, style: 2, label: '\u200b', custom_id: 'none' }],
      },
    ] as never,
  })
  const { embeds, data } = await newest()
  expect([embeds[0].fields.length, data.components[0][0].label]).toEqual([1, '·'])
})

test('automod rules are listed, made, changed and deleted', async () => {
  const rule = await guild.autoModerationRules.create({
    name: 'No spam',
    eventType: AutoModerationRuleEventType.MessageSend,
    triggerType: AutoModerationRuleTriggerType.Keyword,
    triggerMetadata: { keywordFilter: ['*crypto*'], allowList: ['cryptography'] },
    actions: [{ type: AutoModerationActionType.BlockMessage, metadata: { customMessage: 'No' } }],
    enabled: true,
  })
  expect((await bob.post(`/api/channels/${home.channel_id}/messages`, { content: 'mycrypto' })).status).toBe(403)
  await rule.setName('No coins')
  expect([...(await guild.autoModerationRules.fetch()).values()].map(({ name }) => name)).toEqual(['No coins'])
  await rule.delete()
  expect((await alice.get(`/api/servers/${home.server_id}/automod`)).body).toEqual([])
  const trigger = { type: 'spam', by: 'text', count: 7, seconds: 33 }
  const draft = { name: 'Flood', trigger, actions: [{ type: 'block' }] }
  const { id } = (await alice.post(`/api/servers/${home.server_id}/automod`, draft)).body
  const [flood] = [...(await guild.autoModerationRules.fetch()).values()]
  await flood!.setEnabled(false)
  // Discord knows no such numbers, and a change of something else keeps them.
  const after = (await alice.get(`/api/servers/${home.server_id}/automod`)).body
  expect(after).toEqual([expect.objectContaining({ id, enabled: false, trigger })])
  await flood!.delete()
  const refused = guild.autoModerationRules.create({
    name: 'Both',
    eventType: AutoModerationRuleEventType.MessageSend,
    triggerType: AutoModerationRuleTriggerType.Keyword,
    triggerMetadata: { keywordFilter: ['owl'], regexPatterns: ['wren'] },
    actions: [{ type: AutoModerationActionType.BlockMessage }],
  })
  expect(await refused.catch((error: unknown) => error)).toMatchObject({ code: 50035 })
})

test('subcommands in groups keep their two names', async () => {
  await client.application.commands.set([
    new SlashCommandBuilder()
      .setName('bird')
      .setDescription('Birds')
      .addSubcommandGroup((group) =>
        group
          .setName('list')
          .setDescription('list')
          .addSubcommand((sub) =>
            sub
              .setName('add')
              .setDescription('Adds a bird')
              .addStringOption((option) => option.setName('name').setDescription('Its name').setRequired(true)),
          ),
      )
      .addSubcommand((sub) => sub.setName('show').setDescription('Shows a bird')),
  ])
  const [command] = (await client.application.commands.fetch()).values()
  expect(command?.options.map((option: any) => [option.name, option.type])).toEqual([
    ['list', 2],
    ['show', 1],
  ])
  const used = new Promise<any>((resolve) => client.once('interactionCreate', resolve))
  const [offered] = (await bob.get(`/api/channels/${home.channel_id}/commands`)).body
  const begun = await bob.post('/api/interactions', {
    kind: 'command',
    channel_id: home.channel_id,
    command_id: offered.id,
    subcommand: 'list add',
    options: { name: 'owl' },
  })
  expect([begun.status, begun.body.errors]).toEqual([201, undefined])
  const { options } = await used
  expect([options.getSubcommandGroup(), options.getSubcommand(), options.getString('name')]).toEqual([
    'list',
    'add',
    'owl',
  ])
})

test('localisations and contexts of commands go both ways, and people are offered them', async () => {
  const command = new SlashCommandBuilder()
    .setName('greet')
    .setNameLocalizations({ de: 'gruessen', 'pt-BR': 'saudar' })
    .setDescription('Greets')
    .setDescriptionLocalizations({ de: 'Grüßt' })
    .setContexts(0)
    .addSubcommandGroup((group) =>
      group
        .setName('to')
        .setNameLocalizations({ de: 'an' })
        .setDescription('to')
        .addSubcommand((sub) =>
          sub
            .setName('all')
            .setNameLocalizations({ fr: 'tous' })
            .setDescription('Greets all')
            .addStringOption((option) =>
              option
                .setName('tone')
                .setNameLocalizations({ de: 'ton' })
                .setDescription('How')
                .addChoices({ name: 'Loud', name_localizations: { de: 'Laut' }, value: 'loud' }),
            ),
        ),
    )
  await client.application.commands.set([command])
  const [listedCommand] = (await client.application.commands.fetch({ withLocalizations: true })).values() as any
  expect(listedCommand.nameLocalizations).toEqual({ de: 'gruessen', 'pt-BR': 'saudar' })
  expect([listedCommand.descriptionLocalizations, listedCommand.contexts]).toEqual([{ de: 'Grüßt' }, [0]])
  const [group] = listedCommand.options
  expect(group.nameLocalizations).toEqual({ de: 'an', fr: 'to' })
  expect(group.options[0].nameLocalizations).toEqual({ de: 'all', fr: 'tous' })
  expect(group.options[0].options[0].choices[0].nameLocalizations).toEqual({ de: 'Laut' })
  const [offered] = (await bob.get(`/api/channels/${home.channel_id}/commands?locale=de`)).body
  expect(offered).toMatchObject({
    name_localizations: { de: 'gruessen' },
    subcommands: [{ name: 'to all', name_localizations: { de: 'an all' } }],
  })
  await listedCommand.edit({ description: 'Greets people' })
  const [edited] = (await client.application.commands.fetch({ withLocalizations: true })).values() as any
  expect([edited.description, edited.nameLocalizations]).toEqual(['Greets people', listedCommand.nameLocalizations])
})

test('what Parley lacks is listed as empty or refused with Discord’s error', async () => {
  const message = await general.send('News')
  expect(await message.crosspost().catch((error: unknown) => error)).toMatchObject({ code: 50024 })
})

test('the address of the gateway needs no token', async () => {
  const response = await fetch(`${apiOf(parley)}/v10/gateway`)
  expect(await response.json()).toEqual({ url: `${parley.url.replace('http', 'ws')}/discord/gateway` })
  expect((await fetch(`${apiOf(parley)}/v10/gateway/bot`)).status).toBe(401)
})

test('docs/discord.md names each call that this bot made, none but those for announcements as missing', () =>
  expectListed(parley, ['POST /channels/:channel/messages/:message/crosspost']))
