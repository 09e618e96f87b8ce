import { expect, test } from 'bun:test'
import { isLayout, layoutOf, Parts } from '../../src/discord/shapes/layout.ts'

const text = (content: string) => ({ type: 10, content })
const button = { type: 2, style: 1, label: 'More', custom_id: 'more' }
const picture = { media: { url: 'https://example.org/owl.png' } }

test('only rows are no layout', () => {
  expect(isLayout([{ type: 1, components: [button] }])).toBe(false)
  expect(isLayout([text('Owls')])).toBe(true)
})

test('texts become content, in their order', () => {
  const parts = [text('One'), { type: 14 }, { type: 9, components: [text('Two')], accessory: button }, text('Three')]
  expect(layoutOf(parts)).toEqual({
    content: 'One\nTwo\nThree',
    embeds: [],
    rows: [{ type: 1, components: [button] }],
  })
})

test('a container becomes a card with its colour, its text and its first picture', () => {
  const container = {
    type: 17,
    accent_color: 255,
    components: [text('In a card'), { type: 12, items: [picture, picture] }, { type: 1, components: [button] }],
  }
  expect(layoutOf([container])).toEqual({
    content: '',
    embeds: [
      { description: 'In a card', color: 255, image: picture.media },
      { image: picture.media, color: 255 },
    ],
    rows: [{ type: 1, components: [button] }],
  })
})

test('a section with a picture becomes a card, also in a container', () => {
  const section = { type: 9, components: [text('An owl')], accessory: { type: 11, ...picture } }
  const card = { description: 'An owl', thumbnail: picture.media }
  expect(layoutOf([section]).embeds).toEqual([card])
  expect(layoutOf([{ type: 17, components: [text('Above'), section] }]).embeds).toEqual([
    { description: 'Above', color: undefined },
    { ...card, color: undefined },
  ])
})

test('containers nested too deeply are left out, and what is no component is refused', () => {
  const within = (inner: object, depth: number): any =>
    depth === 0 ? inner : { type: 17, components: [within(inner, depth - 1)] }
  const nested = within(text('Deep'), 9)
  expect(layoutOf([nested])).toEqual({ content: '', embeds: [], rows: [] })
  expect(Parts.safeParse(['owl']).success).toBe(false)
})
