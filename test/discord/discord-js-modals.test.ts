import { expect, test } from 'bun:test'
import {
  ActionRowBuilder,
  ChannelSelectMenuBuilder,
  LabelBuilder,
  MentionableSelectMenuBuilder,
  MessageFlags,
  ModalBuilder,
  RoleSelectMenuBuilder,
  StringSelectMenuBuilder,
  UserSelectMenuBuilder,
} from 'discord.js'
import { expectListed } from '../support/discord-calls.ts'
import { discordInteractions } from '../support/discord-interactions.ts'
import { until } from '../support/harness.ts'

const { parley, alice, bob, home, bot, client, seen, answerBy, ask, use, answered, messageOf } =
  await discordInteractions('form', 'quiet')

test('a modal with texts and labels around inputs is shown; one with another component is refused', async () => {
  const input = { type: 4, custom_id: 'text', style: 1 }
  const label = (component: object) => ({ type: 18, label: 'Text', component })
  const modal = (...components: object[]) => ({
    custom_id: 'form',
    title: 'A form',
    components: [{ type: 10, content: 'Some words' }, ...components],
  })
  const nested = Array.from({ length: 30 }).reduce<object>((inner) => label(inner), input)
  const many = Array.from({ length: 26 }, (_, n) => ({ label: `${n}`, value: `${n}` }))
  const option = { label: 'Owl', value: 'owl' }
  const tooDeep = modal(nested)
  const hostile = [
    modal(),
    modal(label({ type: 19, custom_id: 'file' })),
    modal(label({ type: 2, custom_id: 'button', style: 1, label: 'Press' })),
    modal(label(label(input))),
    tooDeep,
    modal({ type: 17, components: [label(input)] }),
    modal({ type: 1, components: [input, { ...input, custom_id: 'other' }] }),
    modal(label(input), label(input)),
    modal(...Array.from({ length: 6 }, (_, n) => label({ ...input, custom_id: `${n}` }))),
    modal(...Array.from({ length: 11 }, () => ({ type: 10, content: 'Words' })), label(input)),
    modal({ type: 10, content: 'a'.repeat(4000) }, label(input)),
    modal({ type: 10, content: 'a'.repeat(4001) }, label(input)),
    modal(label({ ...input, custom_id: 'a'.repeat(101) })),
    modal(label({ ...input, custom_id: '' })),
    modal(label({ type: 3, custom_id: 'menu', options: [] })),
    modal(label({ type: 3, custom_id: 'menu', options: many })),
    modal(label({ type: 3, custom_id: 'menu', options: [option, option] })),
    modal(label({ type: 3, custom_id: 'menu', options: [option], min_values: 2, max_values: 2 })),
    modal(label({ type: 3, custom_id: 'menu', options: [option], max_values: 26 })),
    modal(label({ type: 5, custom_id: 'who', min_values: 3, max_values: 2 })),
    modal(label({ type: 5, custom_id: 'who', min_values: -1 })),
  ]
  const codes: number[] = []
  const check = answerBy(async (interaction) => {
    const callback = `/interactions/${interaction.id}/${interaction.token}/callback` as const
    const show = (data: object) => client.rest.post(callback, { body: { type: 9, data }, auth: false })
    for (const data of hostile)
      codes.push(
        await show(data).then(
          () => 0,
          (error: { code: number }) => error.code,
        ),
      )
    await show(modal(label(input), { type: 10, content: `<@${bot.id}> <@${client.user.id}>` }))
  })
  const form = await answered(await use('form'), 'modal')
  check()
  // A body that is nested too deeply has an error of its own.
  expect(codes).toEqual(hostile.map((data) => (data === tooDeep ? 50109 : 50035)))
  const [first] = form.modal.inputs
  expect([form.modal.inputs.length, first.label, first.above]).toEqual([1, 'Text', 'Some words'])
  expect(form.modal.below).toBe(`<@${bot.id}> <@${bot.id}>`)
})

test('selects of each kind in a modal reach the bot with what was chosen, and hold what they want', async () => {
  const { body: role } = await alice.post(`/api/servers/${home.server_id}/roles`, { name: 'Keepers' })
  const { body: hidden } = await alice.post(`/api/servers/${home.server_id}/channels`, { name: 'hide', type: 'text' })
  const { body: roles } = await alice.get(`/api/servers/${home.server_id}/roles`)
  const everyone = roles.find((each: any) => each.is_everyone)
  await alice.put(`/api/channels/${hidden.id}/permissions/${everyone.id}`, { deny: 1024 })
  const birds = new StringSelectMenuBuilder()
    .setCustomId('birds')
    .setMaxValues(2)
    .addOptions({ label: 'Owl', value: 'owl', default: true }, { label: 'Wren', value: 'wren' })
  const label = (name: string) => new LabelBuilder().setLabel(name)
  const modal = new ModalBuilder()
    .setCustomId('choices')
    .setTitle('Choices')
    .addTextDisplayComponents((text) => text.setContent('**Choose**'))
    .addLabelComponents(
      label('Birds').setDescription('One or two').setStringSelectMenuComponent(birds),
      label('Who').setUserSelectMenuComponent(new UserSelectMenuBuilder().setCustomId('who')),
      label('Role').setRoleSelectMenuComponent(new RoleSelectMenuBuilder().setCustomId('role')),
      label('Where').setChannelSelectMenuComponent(
        new ChannelSelectMenuBuilder().setCustomId('where').setRequired(false),
      ),
      label('Whom').setMentionableSelectMenuComponent(new MentionableSelectMenuBuilder().setCustomId('whom')),
    )
  let check = answerBy((interaction) => interaction.showModal(modal))
  const id = await use('form')
  const { inputs } = (await answered(id, 'modal')).modal
  check()
  expect(inputs.map(({ select }: any) => select.of)).toEqual(['string', 'user', 'role', 'channel', 'user'])
  expect(inputs[0]).toMatchObject({
    above: '**Choose**',
    description: 'One or two',
    select: { chosen: ['owl'], max: 2 },
  })
  const fill = (choices: object, values = {}) =>
    bob.post('/api/interactions', { kind: 'modal', interaction_id: id, custom_id: 'choices', values, choices })
  const chosen = { birds: ['owl', 'wren'], who: [`${alice.id}`], role: [`${role.id}`], where: [], whom: [`${bob.id}`] }
  // discord.js throws where a select is missing, so each has to be named, also if nothing was chosen.
  const { where: _, ...incomplete } = chosen
  for (const [wrong, values] of [
    [{ ...chosen, birds: [] }],
    [{ ...chosen, birds: ['hawk'] }],
    [{ ...chosen, birds: ['owl', 'owl'] }],
    [{ ...chosen, birds: ['owl', 'wren', 'owl'] }],
    [{ ...chosen, who: ['1e3'] }],
    [{ ...chosen, who: [`${2 ** 40}`] }],
    [{ ...chosen, who: [`${alice.id}`, `${bob.id}`] }],
    [{ ...chosen, role: ['0'] }],
    // The person does not see this channel, and so cannot show it to the bot.
    [{ ...chosen, where: [`${hidden.id}`] }],
    [{ ...chosen, nothing: ['owl'] }],
    [{ birds: ['owl'] }],
    [incomplete],
    [chosen, { birds: 'owl' }],
  ] as [object, object?][])
    expect([wrong, (await fill(wrong, values)).status]).toEqual([wrong, 422])
  check = answerBy(async (interaction) => {
    if (!interaction.isModalSubmit()) throw new Error('no modal')
    const { fields } = interaction
    const people = fields.getSelectedUsers('who', true).map(({ username }: any) => username)
    const named = [fields.getSelectedRoles('role', true).first()?.name, fields.getSelectedChannels('where')?.size ?? 0]
    const mentioned = fields.getSelectedUsers('whom', true).map(({ username }: any) => username)
    await interaction.reply([fields.getStringSelectValues('birds'), people, named, mentioned].flat().join(', '))
  })
  expect((await fill(chosen)).status).toBe(201)
  const { message_id } = (await seen.next('interaction.answered', ({ d }) => d.kind === 'message' && d.message_id > 0))
    .d
  check()
  await until(async () => {
    const { body } = await bob.get(`/api/channels/${home.channel_id}/messages?limit=5`)
    return body.some(
      ({ content }: any) => content === `owl, wren, ${alice.display_name}, Keepers, 0, ${bob.display_name}`,
    )
  })
  expect(message_id).toBeGreaterThan(0)
})

test('a choice of people in an answer that only the person sees reaches the bot', async () => {
  const row = new ActionRowBuilder<UserSelectMenuBuilder>().addComponents(
    new UserSelectMenuBuilder().setCustomId('whisper'),
  )
  let check = answerBy((interaction) =>
    interaction.reply({ content: 'Whom?', components: [row], flags: MessageFlags.Ephemeral }),
  )
  const id = await use('quiet')
  await answered(id, 'ephemeral')
  check()
  check = answerBy(async (interaction) => {
    if (!interaction.isUserSelectMenu()) throw new Error('no select')
    await interaction.reply(`Chosen: ${interaction.users.first()?.username}`)
  })
  const used = await ask({
    kind: 'component',
    interaction_id: id,
    custom_id: 'whisper',
    values: [`${alice.id}`],
    channel_id: undefined,
  })
  const { message_id } = await answered(used, 'message')
  check()
  expect((await messageOf(message_id)).content).toBe(`Chosen: ${alice.display_name}`)
})

test('docs/discord.md names each call that this bot made, and none as missing', () => expectListed(parley))
