import { expect, test } from 'bun:test'
import { fitting, sharedOf } from '../../../src/web/device/shared.ts'

const MIB = 1024 * 1024
const form = (...parts: [name: string, value: string | File][]) => {
  const data = new FormData()
  for (const [name, value] of parts) data.append(name, value)
  return data
}
const file = (name: string, bytes: number): [string, File] => ['files', new File([new Uint8Array(bytes)], name)]

test('title, text and address of a share become one text, each once', () => {
  const input = form(['url', 'https://example.org'], ['text', 'Two herons'], ['text', 'again'], file('title', 1))
  input.append('title', new File(['x'], 'no text'))
  expect(sharedOf(input)).toMatchObject({ text: 'Two herons\nhttps://example.org', left_out: 0 })
  expect(sharedOf(form()).text).toBe('')
})

test('ten files of a share are kept, and the user sees how many were dropped', () => {
  const many = Array.from({ length: 200 }, (_, at) => file(`${at}.txt`, 1))
  const { files, left_out } = sharedOf(form(...many))
  expect([files.map(({ name }) => name), left_out]).toEqual([Array.from({ length: 10 }, (_, at) => `${at}.txt`), 190])
})

test('no more than 512 MiB of files and 16,000 characters are kept', () => {
  const sizes = [256, 255, 2, 1].map((mib) => ({ size: mib * MIB }))
  expect(fitting(sizes)).toEqual([sizes[0], sizes[1], sizes[3]] as typeof sizes)
  expect(sharedOf(form(['text', 'x'.repeat(1_000_000)])).text).toBe('x'.repeat(16_000))
})
