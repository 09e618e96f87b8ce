import { expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { standard } from '../../support/harness.ts'
import { passersBy } from '../../support/people.ts'
import { place } from '../../support/places.ts'
import { newest, webhook } from '../../support/webhooks.ts'

const parley = await standard()
const [alice] = await passersBy(parley, 'alice')

test('every command of docs/webhooks.md has the effect that the page describes', async () => {
  const page = readFileSync(join(import.meta.dir, '../../../docs/webhooks.md'), 'utf8')
  const commands = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, command = '']) => command)
  expect(commands).toHaveLength(5)
  const { channel_id } = await place(alice)
  const { url } = await webhook(alice, channel_id)
  const outputs: unknown[] = []
  for (const command of commands) {
    const shell = Bun.spawn(['bash', '-euc', command], {
      env: { ...process.env, HOOK: url },
      cwd: mkdtempSync(join(tmpdir(), 'docs-')),
      stdout: 'pipe',
    })
    const out = await new Response(shell.stdout).text()
    expect([command, await shell.exited]).toEqual([command, 0])
    const { content, embeds, files } = await newest(alice, channel_id)
    outputs.push([content, embeds[0]?.title, files[0]?.filename, out.slice(0, 5)])
  }
  expect(outputs).toEqual([
    ['Disk is full on **db-1**', undefined, undefined, ''],
    ['', '[FIRING:1] DiskFull', undefined, '{"id"'],
    ['The report', undefined, 'report.csv', ''],
    ['Deployed [build 7](<https://ci.example.org/7>)', 'Build 7', undefined, 'ok'],
    ['', '[octocat/Hello-World] Webhook connected', undefined, ''],
  ])
})
