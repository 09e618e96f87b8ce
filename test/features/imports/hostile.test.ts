import { expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importDiscord, type ImportProgress } from '../../../src/features/imports/import.ts'
import { exported, exportedChannel } from '../../support/imports.ts'

const ONE = '900000000000000001'
const TWO = '900000000000000002'
const BYTES_MAX = 1_000_000

/** A folder with one export and further files. */
function folderOf(content: string | object): string {
  const folder = mkdtempSync(join(tmpdir(), 'export-'))
  writeFileSync(join(folder, 'general.json'), typeof content === 'string' ? content : JSON.stringify(content))
  return folder
}
const rehearse = (folder: string, progress: (now: ImportProgress) => void = () => {}) =>
  importDiscord({ folder, maxBytes: BYTES_MAX }, undefined, {
    progress,
    signal: new AbortController().signal,
  })
const whole = JSON.stringify(exportedChannel([exported(ONE, 'First'), exported(TWO, 'Second')]))
/** Start of the second message. */
const second = whole.indexOf('{"id":"900000000000000002"')

const refusals: Record<string, [content: string | object, sentence: RegExp]> = {
  'a file that is cut short within a message': [
    whole.slice(0, -40),
    new RegExp(`general.json is cut short at byte ${second}`),
  ],
  'a file that is cut short between messages': [whole.slice(0, second), /general.json is cut short at byte \d+/],
  'a file that goes on after its end': [`${whole}{}`, /goes on after its end at byte/],
  'what is no JSON': [whole.replace('"content":"First"', '"content":First'), /is no JSON at byte/],
  'a value in too many others': [
    exportedChannel([exported(ONE, 'x', { deep: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) })]),
    /has values in more than 32 others at byte/,
  ],
  'a string without an end': [
    `{"guild":{"id":"1","name":"${'x'.repeat(18 * 1024 * 1024)}`,
    /has a value of more than 16777216 bytes at byte 18|has a value of more than 16777216 bytes at byte/,
  ],
  'messages from the newest to the oldest': [
    exportedChannel([exported(TWO, 'x'), exported(ONE, 'x')]),
    /has messages out of order .*--reverse.* at byte/,
  ],
  'a number where an id belongs': [exportedChannel([{ ...exported(ONE, 'x'), id: 1e30 }]), /\(id: .*\) at byte/],
  'an id that is larger than any': [exportedChannel([exported('9999999999999999999', 'x')]), /\(id: Must be an id\)/],
  'text where a list belongs': [exportedChannel([exported(ONE, 'x', { attachments: 'x' })]), /\(attachments: /],
  'an endless text': [exportedChannel([exported(ONE, 'x'.repeat(70_000))]), /\(content: /],
  'a time that is none': [exportedChannel([exported(ONE, 'x', { timestamp: 'now' })]), /\(timestamp: Must be a time\)/],
  'a time in the future': [
    exportedChannel([exported(ONE, 'x', { timestamp: '2999-01-01T00:00:00Z' })]),
    /\(timestamp: Must be a time since 2015\)/,
  ],
  'messages before their channel': [
    `{"guild":{"id":"1","name":"x"},"messages":[${JSON.stringify(exported(ONE, 'x'))}]}`,
    /messages before their channel/,
  ],
}

for (const [what, [content, sentence]] of Object.entries(refusals))
  test(`${what} is refused with the file and the place, before anything is written`, async () => {
    await expect(rehearse(folderOf(content))).rejects.toThrow(sentence)
  })

test('a dry run reports its progress by step and by number of messages', async () => {
  const messages = Array.from({ length: 2_500 }, (_, at) => exported(String(BigInt(ONE) + BigInt(at)), 'x'))
  const progress: ImportProgress[] = []
  await rehearse(folderOf(exportedChannel(messages)), (now) => progress.push(now))
  const at = (step: string) => progress.filter((now) => now.step === step)
  expect(at('reading')).toEqual([1_000, 2_000].map((count) => ({ step: 'reading', messages: count })))
  expect(at('messages').at(-1)).toEqual({ step: 'messages', messages: 2_500, total: 2_500 })
})

test('a folder without an export is refused', async () => {
  await expect(rehearse(folderOf('{"name": "no export"}'))).rejects.toThrow('does not contain an export of a server')
  await expect(rehearse(join(tmpdir(), 'there-is-none'))).rejects.toThrow('is not a folder.')
})

test('no file outside the folder is read, through any address or link', async () => {
  const folder = folderOf('{}')
  mkdirSync(join(folder, 'media'))
  symlinkSync('/etc/passwd', join(folder, 'media', 'link.txt'))
  symlinkSync('/etc', join(folder, 'media', 'etc'))
  const urls = [
    '/etc/passwd',
    `${'../'.repeat(20)}etc/passwd`,
    'media/link.txt',
    'media/etc/passwd',
    '..\\'.repeat(20) + 'etc\\passwd',
  ]
  const attachments = urls.map((url) => ({ url, fileName: 'stolen' }))
  const odd = ['media', 'a\0b', '', 'x'.repeat(5000), 'file:///etc/passwd'].map((url) => ({ url, fileName: 'odd' }))
  writeFileSync(
    join(folder, 'general.json'),
    JSON.stringify(exportedChannel([exported(ONE, 'x', { attachments }), exported(TWO, 'x', { attachments: odd })])),
  )
  const { report } = await rehearse(folder)
  expect(report.count('file_outside')).toBe(urls.length)
  expect(report.count('file_odd') + report.count('file_missing')).toBe(odd.length)
})

test('false sizes in the export, and files that are too large, are found on the disk', async () => {
  const attachments = [{ url: 'large.bin', fileName: 'large.bin', fileSizeBytes: 1 }]
  const folder = folderOf(exportedChannel([exported(ONE, 'x', { attachments })]))
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(BYTES_MAX + 1))
  expect((await rehearse(folder)).report.count('file_large')).toBe(1)
})

test('a message keeps a bounded number of reactions, and the report counts the others', async () => {
  const emojis = ['\u{1F426}', '\u{1F986}', '\u{1F989}']
  const reactions = emojis.map((name) => ({
    emoji: { name },
    count: 20_001,
    users: Array.from({ length: 20_000 }, (_, at) => ({ id: String(at + 1), name: 'x' })),
  }))
  const { report } = await rehearse(folderOf(exportedChannel([exported(ONE, 'x', { reactions })])))
  expect([report.count('reaction_many'), report.count('reaction_people')]).toEqual([10_000, 3])
})

test('quotes, backslashes and the edges of a read buffer break no message', async () => {
  const text = `"\\\\"${'\\"'.repeat(999)} ]}{[ \u{1F426} `
  const messages = Array.from({ length: 2500 }, (_, at) =>
    exported(String(900000000000000000n + BigInt(at + 1)), text.slice(0, 900 + (at % 1000))),
  )
  const { imported } = await rehearse(folderOf(`\uFEFF ${JSON.stringify(exportedChannel(messages), null, 2)}\n`))
  expect(imported).toMatchObject([{ messages: 2500, people: 1, channels: 1 }])
})
