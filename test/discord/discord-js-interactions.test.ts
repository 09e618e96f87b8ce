import { expect, test } from 'bun:test'
import {
  ActionRowBuilder,
  ButtonBuilder,
  ButtonStyle,
  EmbedBuilder,
  MessageFlags,
  ModalBuilder,
  StringSelectMenuBuilder,
  TextInputBuilder,
  TextInputStyle,
} from 'discord.js'
import { expectListed } from '../support/discord-calls.ts'
import { discordInteractions } from '../support/discord-interactions.ts'
import { until } from '../support/harness.ts'

const { parley, bob, home, client, idOf, answerBy, ask, use, answered, messageOf } = await discordInteractions(
  'now',
  'quiet',
  'later',
  'form',
  'menu',
)

test('autocomplete offers the choices of the bot', async () => {
  const check = answerBy(async (interaction) => {
    const typed = interaction.options.getFocused()
    await interaction.respond([{ name: `${typed}l`, value: `${typed}l` }])
  })
  const id = await ask({ kind: 'autocomplete', command_id: idOf('now'), options: { bird: 'ow' }, focused: 'bird' })
  expect((await answered(id, 'choices')).choices).toEqual([{ name: 'owl', value: 'owl' }])
  check()
})

test('an ephemeral answer is seen only by the person, and a follow-up by all', async () => {
  const check = answerBy(async (interaction) => {
    await interaction.reply({ content: 'Hush', flags: MessageFlags.Ephemeral })
    await interaction.followUp({ embeds: [new EmbedBuilder().setTitle('Aloud').setColor(0x3366cc)] })
  })
  const id = await use('quiet')
  expect((await answered(id, 'ephemeral')).content).toBe('Hush')
  const { message_id } = await answered(id, 'message')
  expect((await messageOf(message_id)).embeds[0]).toMatchObject({ title: 'Aloud', color: '#3366cc' })
  check()
})

test('a deferred answer comes later, and can be fetched and edited', async () => {
  let fetched = ''
  const check = answerBy(async (interaction) => {
    await interaction.deferReply()
    await interaction.editReply('Done')
    fetched = (await interaction.fetchReply()).content
    await interaction.editReply('Done twice')
  })
  const id = await use('later')
  await answered(id, 'deferred')
  const { message_id } = await answered(id, 'message')
  await until(async () => (await messageOf(message_id)).content === 'Done twice')
  expect(fetched).toBe('Done')
  check()
})

test('buttons and selects of a message reach the bot, which updates the message', async () => {
  const button = new ButtonBuilder().setCustomId('again').setLabel('Again').setStyle(ButtonStyle.Primary)
  const menu = new StringSelectMenuBuilder()
    .setCustomId('bird')
    .setPlaceholder('A bird')
    .addOptions({ label: 'Owl', value: 'owl' }, { label: 'Wren', value: 'wren' })
  const rows = [
    new ActionRowBuilder<ButtonBuilder>().addComponents(button),
    new ActionRowBuilder<StringSelectMenuBuilder>().addComponents(menu),
  ]
  let check = answerBy((interaction) => interaction.reply({ content: 'Choose', components: rows }))
  const { message_id } = await answered(await use('menu'), 'message')
  check()
  check = answerBy(async (interaction) => {
    if (!interaction.isButton()) throw new Error(`no button: ${interaction.type}`)
    await interaction.update({ content: `${interaction.message.content} again` })
  })
  await answered(await ask({ kind: 'component', message_id, custom_id: 'again', channel_id: undefined }), 'updated')
  check()
  expect((await messageOf(message_id)).content).toBe('Choose again')
  check = answerBy(async (interaction) => {
    if (!interaction.isStringSelectMenu()) throw new Error('no select')
    await interaction.deferUpdate()
    await interaction.editReply({ content: interaction.values.join(), components: [] })
  })
  await ask({ kind: 'component', message_id, custom_id: 'bird', values: ['wren'], channel_id: undefined })
  await until(async () => (await messageOf(message_id)).content === 'wren')
  check()
})

test('a modal is shown, and what was filled in reaches the bot', async () => {
  const input = new TextInputBuilder().setCustomId('text').setLabel('Text').setStyle(TextInputStyle.Paragraph)
  const modal = new ModalBuilder()
    .setCustomId('poll')
    .setTitle('A poll')
    .addComponents(new ActionRowBuilder<TextInputBuilder>().addComponents(input))
  let check = answerBy((interaction) => interaction.showModal(modal))
  const id = await use('form')
  expect((await answered(id, 'modal')).modal).toMatchObject({ custom_id: 'poll', title: 'A poll' })
  check()
  check = answerBy(async (interaction) => {
    if (!interaction.isModalSubmit()) throw new Error('no modal')
    await interaction.reply(interaction.fields.getTextInputValue('text'))
  })
  const submitted = await ask({
    kind: 'modal',
    interaction_id: id,
    custom_id: 'poll',
    values: { text: 'Owls' },
    channel_id: undefined,
  })
  const { message_id } = await answered(submitted, 'message')
  expect((await messageOf(message_id)).content).toBe('Owls')
  check()
})

test('a bot adds files to an answer, and replaces those of the message whose button was pressed', async () => {
  const file = (name: string) => ({ attachment: Buffer.from(name), name })
  const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
    new ButtonBuilder().setCustomId('next').setLabel('Next').setStyle(ButtonStyle.Primary),
  )
  const check = answerBy(async (interaction) => {
    await interaction.reply({ content: 'One', components: [row] })
    await interaction.editReply({ files: [file('one.txt')] })
    const further = await interaction.followUp({ content: 'Further', files: [file('old.txt')] })
    await interaction.editReply({
      message: further,
      attachments: [...further.attachments.values()],
      files: [file('new.txt')],
    })
  })
  const id = await use('now')
  const { message_id } = await answered(id, 'message')
  const namesIn = async (messageId: number) => (await messageOf(messageId)).files.map((each: any) => each.filename)
  await until(async () => (await namesIn(message_id)).join() === 'one.txt')
  const page = async () => (await bob.get(`/api/channels/${home.channel_id}/messages?limit=1`)).body
  await until(async () => (await page())[0].files.length === 2)
  expect((await page())[0].files.map((each: any) => each.filename)).toEqual(['old.txt', 'new.txt'])
  check()
  const checkUpdate = answerBy((interaction) => interaction.update({ files: [file('two.txt')] }))
  await ask({ kind: 'component', message_id, custom_id: 'next', channel_id: undefined })
  await until(async () => (await namesIn(message_id)).join() === 'two.txt')
  checkUpdate()
})

test('the answer to a callback names the kind of interaction, and a pong changes nothing', async () => {
  let response: any
  let check = answerBy(async (interaction) => {
    const callback = `/interactions/${interaction.id}/${interaction.token}/callback` as const
    await client.rest.post(callback, { body: { type: 1 }, auth: false })
    const row = new ActionRowBuilder<ButtonBuilder>().addComponents(
      new ButtonBuilder().setCustomId('press').setLabel('Press').setStyle(ButtonStyle.Primary),
    )
    response = await interaction.reply({ content: 'Press it', components: [row], withResponse: true })
  })
  const { message_id } = await answered(await use('now'), 'message')
  check()
  await until(() => response !== undefined)
  expect([response.interaction.type, response.resource.message.content]).toEqual([2, 'Press it'])
  response = undefined
  check = answerBy(async (interaction) => {
    response = await interaction.deferUpdate({ withResponse: true })
  })
  await ask({ kind: 'component', message_id, custom_id: 'press', channel_id: undefined })
  await until(() => response !== undefined)
  check()
  expect(response.interaction.type).toBe(3)
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
