import { expect, test } from 'bun:test'
import { REST } from '@discordjs/rest'
import { IncomingWebhook } from '@slack/webhook'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { newest, post, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')
const { channel_id } = await place(alice)
const { id, url } = await webhook(alice, channel_id, 'Hook')

/** Posts a sender's body. @returns the resulting message in the channel */
async function messageFrom(
  body: string,
  suffix = '',
  headers: Record<string, string> = {},
  status = suffix === '/slack' ? 200 : 204,
) {
  expect((await post(alice, url + suffix, body, { headers })).status).toBe(status)
  return newest(alice, channel_id)
}

// https://github.com/prometheus/alertmanager, notify/discord/discord_test.go, TestDiscord_Notify.
const ALERTMANAGER =
  '{"content":"Test Content","embeds":[{"title":"Test Title","description":"Test Message","color":10038562}],' +
  '"username":"Test Username","avatar_url":"http://example.com/avatar.png"}'
// https://github.com/grafana/alerting, receivers/discord/discord_test.go, "Default config with one alert", by Go.
const GRAFANA =
  '{"username":"Grafana","content":"**Firing**\\n\\nValue: [no value]\\nLabels:\\n - alertname = alert1\\n' +
  ' - lbl1 = val1\\nAnnotations:\\n - ann1 = annv1\\nSilence: http://localhost/alerting/silence/new' +
  '?alertmanager=grafana\\u0026matcher=alertname%3Dalert1\\u0026matcher=lbl1%3Dval1' +
  '\\nDashboard: http://localhost/d/abcd\\nPanel: http://localhost/d/abcd?viewPanel=efgh\\n",' +
  '"embeds":[{"title":"[FIRING:1]  (val1)","type":"rich","url":"http://localhost/alerting/list",' +
  '"color":14037554,"footer":{"text":"Grafana v12.0.0","icon_url":"https://grafana.com/static/assets/img/fav32.png"}}]}'
// https://github.com/go-gitea/gitea, services/webhook/discord.go: its encoding of a push, with null fields.
const GITEA = `{
  "wait": false,
  "content": "",
  "username": "Gitea",
  "avatar_url": "",
  "tts": false,
  "embeds": [
    {
      "title": "[test/repo:test] 2 new commits",
      "description": "[2020558](http://localhost:3000/test/repo/commit/2020558fe2e34debb818a514715839) message - user1",
      "url": "http://localhost:3000/test/repo/src/test",
      "color": 1754624,
      "footer": {
        "text": ""
      },
      "author": {
        "name": "user1",
        "url": "https://try.gitea.io/user1",
        "icon_url": ""
      },
      "fields": null
    }
  ]
}`
// https://github.com/louislam/uptime-kuma, server/notification-providers/discord.js: a service that went down.
const UPTIME_KUMA = JSON.stringify({
  username: 'Uptime Kuma',
  embeds: [
    {
      title: '❌ Your service db-1 went down. ❌',
      color: 16711680,
      timestamp: '2026-05-05 12:00:00.421',
      fields: [
        { name: 'Service Name', value: 'db-1' },
        { name: 'Service URL', value: 'https://db-1.example.org' },
        { name: 'Time (Europe/Berlin)', value: '2026-05-05 14:00:00' },
        { name: 'Error', value: 'connect ECONNREFUSED' },
        { name: 'Ping', value: 7 },
      ],
    },
  ],
  flags: 4096,
})

test('posts of Alertmanager, Grafana, Gitea and Uptime Kuma for Discord appear in the channel', async () => {
  const alert = await messageFrom(ALERTMANAGER)
  expect(alert).toMatchObject({
    content: 'Test Content',
    author: { id, display_name: 'Test Username', kind: 'webhook' },
  })
  expect(alert.embeds).toMatchObject([
    { type: 'rich', title: 'Test Title', description: 'Test Message', color: '#992d22' },
  ])
  const firing = await messageFrom(GRAFANA)
  expect(firing.content).toContain('?alertmanager=grafana&matcher=alertname%3Dalert1&matcher=lbl1%3Dval1\n')
  expect(firing.embeds[0]).toMatchObject({
    title: '[FIRING:1]  (val1)',
    url: 'http://localhost/alerting/list',
    footer: 'Grafana v12.0.0',
    image: null,
  })
  const commits = await messageFrom(GITEA)
  expect(commits.embeds[0]).toMatchObject({ author: { name: 'user1', url: 'https://try.gitea.io/user1' }, fields: [] })
  expect(commits.embeds[0].footer).toBeNull()
  const down = await messageFrom(UPTIME_KUMA)
  expect(down.embeds[0]).toMatchObject({ color: '#ff0000', timestamp: '2026-05-05T12:00:00.421Z' })
  expect(down.embeds[0].fields[4]).toEqual({ name: 'Ping', value: '7', inline: false })
  // Before it sends, Uptime Kuma reads the webhook's picture.
  expect((await post(alice, url, undefined, { method: 'GET' })).body).toMatchObject({ id: String(id), name: 'Hook' })
})

// https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
const SLACK_TEXT = '{"text":"Hello, world."}'
const SLACK_BLOCKS = JSON.stringify({
  text: 'Danny Torrence left a 1 star review for your property.',
  blocks: [
    {
      type: 'section',
      text: { type: 'mrkdwn', text: 'Danny Torrence left the following review for your property:' },
    },
    {
      type: 'section',
      block_id: 'section567',
      text: {
        type: 'mrkdwn',
        text:
          '<https://example.com|Overlook Hotel> \n :star: \n Doors had too many axe holes, guest in room 237 was ' +
          'far too rowdy, whole place felt stuck in the 1920s.',
      },
      accessory: {
        type: 'image',
        image_url:
          'https://is5-ssl.mzstatic.com/image/thumb/Purple3/v4/d3/72/5c/' +
          'd3725c8f-c642-5d69-1904-aa36e4297885/source/256x256bb.jpg',
        alt_text: 'Haunted hotel image',
      },
    },
    {
      type: 'section',
      block_id: 'section789',
      fields: [{ type: 'mrkdwn', text: '*Average Rating*\n1.0' }],
    },
  ],
})
// https://github.com/prometheus/alertmanager, notify/slack/slack.go: the encoding of its request.
const SLACK_ALERT =
  '{"channel":"#alerts","username":"Alertmanager","attachments":[{"title":"[FIRING:1] DiskFull",' +
  '"title_link":"http://am/#/alerts","text":"*db-1* &amp; <http://db-1|db-1>",' +
  '"fallback":"[FIRING:1] DiskFull | http://am/#/alerts","callback_id":"","footer":"","color":"danger",' +
  '"mrkdwn_in":["fallback","pretext","text"]}]}\n'

test('posts in Slack’s and Alertmanager’s documented form appear, links and marks as Markdown', async () => {
  expect((await messageFrom(SLACK_TEXT, '/slack')).content).toBe('Hello, world.')
  const { content } = await messageFrom(SLACK_BLOCKS, '/slack')
  expect(content).toStartWith(
    'Danny Torrence left the following review for your property:\n[Overlook Hotel](<https://example.com>)',
  )
  expect(content).toContain('[Haunted hotel image](<https://is5-ssl.mzstatic.com/')
  expect(content).toEndWith('**Average Rating**\n1.0')
  const alert = await messageFrom(SLACK_ALERT, '/slack')
  expect(alert.author.display_name).toBe('Alertmanager')
  expect(alert.embeds[0]).toMatchObject({
    title: '[FIRING:1] DiskFull',
    url: 'http://am/#/alerts',
    description: '**db-1** & [db-1](<http://db-1>)',
    color: '#a30200',
  })
  const fallback = await messageFrom('{"attachments":[{"fallback":"Only &lt;this&gt;"}]}', '/slack')
  expect(fallback.embeds[0].description).toBe('Only <this>')
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const sent = await messageFrom(`payload=${encodeURIComponent('{"text":"by a form <!here>"}')}`, '/slack', form)
  expect(sent).toMatchObject({ content: 'by a form @here', mention_here: false })
  await alice.put(`/api/webhooks/${id}`, { mentions_everyone: true })
  expect(await messageFrom('{"text":"<!here> look"}', '/slack')).toMatchObject({
    mention_here: true,
    mention_everyone: false,
  })
  expect(await messageFrom('{"text":"@here `<!here>`"}', '/slack')).toMatchObject({ mention_here: false })
  await alice.put(`/api/webhooks/${id}`, { mentions_everyone: false })
  expect((await post(alice, `${url}/slack`, '{}')).body).toBe('no_text')
  expect((await post(alice, `${url}/slack`, '[')).body).toBe('invalid_payload')
})

// https://docs.slack.dev/reference/block-kit/blocks: the examples of these blocks, one after the other.
const BLOCK_KIT = `{"blocks": [
  {"type": "header", "text": {"type": "plain_text", "text": "Budget Performance"}},
  {"type": "divider"},
  {"type": "context", "elements": [
    {"type": "image", "image_url": "https://image.freepik.com/free-photo/red-drawing-pin_1156-445.jpg",
     "alt_text": "images"},
    {"type": "mrkdwn", "text": "Location: *Dogpatch*"}]},
  {"type": "actions", "block_id": "actionblock789", "elements": [
    {"type": "datepicker", "action_id": "datepicker123", "initial_date": "1990-04-28",
     "placeholder": {"type": "plain_text", "text": "Select a date"}},
    {"type": "button", "text": {"type": "plain_text", "text": "Primary Button"}, "style": "primary", "value": "click"},
    {"type": "button", "text": {"type": "plain_text", "text": "Link Button"}, "url": "https://api.slack.com/block-kit"}
  ]},
  {"type": "rich_text", "elements": [
    {"type": "rich_text_section", "elements": [
      {"type": "text", "text": "Hello there, I am a "},
      {"type": "text", "text": "bold", "style": {"bold": true}},
      {"type": "text", "text": " rich text block!"}]},
    {"type": "rich_text_list", "style": "bullet", "elements": [
      {"type": "rich_text_section", "elements": [{"type": "text", "text": "Huddles"}]},
      {"type": "rich_text_section", "elements": [{"type": "text", "text": "Canvas"}]}]}]}
]}`

test('Slack’s documented blocks become text, and actions become links', async () => {
  const { content } = await messageFrom(BLOCK_KIT, '/slack')
  const lines = content.split('\n')
  expect(lines.slice(0, 2)).toEqual(['### Budget Performance', '———'])
  expect(lines[2]).toMatch(/images.* · Location: \*\*Dogpatch\*\*$/)
  expect(content).toContain('[Link Button](<https://api.slack.com/block-kit>)')
  expect(content).toContain('Hello there, I am a **bold** rich text block!')
  expect(content).toContain('- Huddles\n- Canvas')
})

// https://docs.discord.com/developers/reference#uploading-files: the example, with bytes in place of the dots.
const DISCORD_FORM = [
  '--boundary',
  'Content-Disposition: form-data; name="payload_json"',
  'Content-Type: application/json',
  '',
  `{
  "content": "Hello, World!",
  "embeds": [{
    "title": "Hello, Embed!",
    "description": "This is an embedded message.",
    "thumbnail": {
      "url": "attachment://myfilename.png"
    },
    "image": {
      "url": "attachment://mygif.gif"
    }
  }],
  "message_reference": {
    "message_id": "233648473390448641"
  },
  "attachments": [{
      "id": 0,
      "description": "Image of a cute little cat",
      "filename": "myfilename.png"
  }, {
      "id": 1,
      "description": "Rickroll gif",
      "filename": "mygif.gif"
  }]
}`,
  '--boundary',
  'Content-Disposition: form-data; name="files[0]"; filename="myfilename.png"',
  'Content-Type: image/png',
  '',
  '[image bytes]',
  '--boundary',
  'Content-Disposition: form-data; name="files[1]"; filename="mygif.gif"',
  'Content-Type: image/gif',
  '',
  '[image bytes]',
  '--boundary--',
].join('\r\n')

test('Discord’s own example of a message with files is accepted unchanged', async () => {
  const { content, embeds, files } = await messageFrom(DISCORD_FORM, '', {
    'content-type': 'multipart/form-data; boundary=boundary',
  })
  expect(content).toBe('Hello, World!')
  expect(embeds).toMatchObject([{ title: 'Hello, Embed!', description: 'This is an embedded message.', image: null }])
  expect(files.map(({ filename }: { filename: string }) => filename)).toEqual(['myfilename.png', 'mygif.gif'])
})

test('the library of Discord sends, with files, changes and deletes', async () => {
  const rest = new REST({ api: `${parley.url}/hooks` })
  const base = new URL(url).pathname.replace('/hooks', '') as `/${string}`
  type Method = Parameters<typeof rest.request>[0]['method']
  const send = (fullRoute: `/${string}`, method: string, body?: object, files?: { name: string; data: string }[]) => {
    const query = new URLSearchParams({ wait: 'true' })
    return rest.request({ method: method as Method, fullRoute, body, files, query, auth: false, versioned: false })
  }
  const message = (await send(base, 'POST', { content: 'by the library' }, [
    { name: 'report.csv', data: 'a,b' },
  ])) as any
  expect(message).toMatchObject({
    content: 'by the library',
    webhook_id: String(id),
    attachments: [{ filename: 'report.csv', size: 3 }],
  })
  const changed = (await send(`${base}/messages/${message.id}`, 'PATCH', { content: 'changed' })) as any
  expect(changed).toMatchObject({ id: message.id, content: 'changed' })
  expect((await newest(alice, channel_id)).content).toBe('changed')
  await send(`${base}/messages/${message.id}`, 'DELETE')
  expect((await newest(alice, channel_id)).id).not.toBe(Number(message.id))
  expect(send(base, 'POST', {})).rejects.toMatchObject({ code: 50006, status: 400 })
})

test('the library of Slack sends, and gets the reason for a refusal', async () => {
  const slack = new IncomingWebhook(`${url}/slack`)
  expect(await slack.send({ text: 'from *Slack’s* library' })).toMatchObject({ text: 'ok' })
  expect((await newest(alice, channel_id)).content).toBe('from **Slack’s** library')
  expect(slack.send({ text: '' })).rejects.toThrow()
})
