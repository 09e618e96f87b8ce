import { expect, test } from 'bun:test'
import { addBot, botOf } from '../../support/bots.ts'
import { newServer, person, standard } from '../../support/harness.ts'
import { Page } from '../../support/page.ts'
import { connect } from '../../support/socket.ts'

const parley = await standard()

test('a person sees and uses the commands of bots in their language, and the bot gets the original names', async () => {
  const ann = await person(parley, 'ann')
  const { server_id, channel_id } = await newServer(ann)
  const bot = await botOf(ann, 'Dice')
  await addBot(ann, server_id, bot)
  const texts = { 'en-US': 'dice', de: 'wuerfeln' }
  const put = await bot.put('/api/applications/@me/commands', [
    {
      name: 'roll',
      name_localizations: texts,
      description: 'Rolls',
      description_localizations: { 'en-US': 'Throws some dice', de: 'Wirft Würfel' },
      options: [
        {
          name: 'sides',
          name_localizations: { 'en-US': 'faces' },
          description: 'Of each',
          description_localizations: { 'en-US': 'How many it has' },
          type: 'string',
          required: true,
          choices: [{ name: 'Six', name_localizations: { 'en-US': 'Half a dozen' }, value: '6' }],
        },
      ],
    },
  ])
  expect([put.status, put.body.errors]).toEqual([200, undefined])
  const botSocket = await connect(bot)
  const page = await Page.as(ann, `/app/servers/${server_id}/channels/${channel_id}`)
  const box = page.composer()
  await box.fill('/di')
  await page.sees(page.getByRole('option', { name: /dice.*Throws some dice/ }))
  await box.press('Enter')
  await page.sees('How many it has')
  const field = page.getByRole('combobox', { name: /faces/ })
  await page.sees(field)
  await field.selectOption('Half a dozen')
  await page.button(/dice/).last().click()
  const { d } = await botSocket.next('interaction.created')
  expect(d).toMatchObject({ command: { name: 'roll' }, options: { sides: '6' } })
  botSocket.close()
  await page.leave()
})
