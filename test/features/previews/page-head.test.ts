import { describe, expect, test } from 'bun:test'
import { previewOf, pictureOf } from '../../../src/features/previews/embed-of.ts'
import { linksIn } from '../../../src/core/markup/references.ts'
import { type PageHead, readPageHead } from '../../../src/features/previews/page-head.ts'
import { tidyText } from '../../../src/features/previews/page-text.ts'

const MIB = 1024 * 1024

async function* inParts(bytes: Uint8Array, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield Buffer.from(bytes.subarray(at, at + size))
}

/** Reads a page that arrives in parts of this size. */
const read = (html: string | Uint8Array, charset?: string, size = 1460): Promise<PageHead> =>
  readPageHead(inParts(Buffer.from(html), size), charset)
const titleOf = async (html: string | Uint8Array, charset?: string) =>
  previewOf(await read(html, charset))?.title ?? null

const FULL = `<!doctype html><html><head><meta charset=utf-8><title>Plain &amp; simple</title>
  <meta property="og:title" content="The kingfisher&#39;s dive">
  <meta property='og:description' content='A bird &lt;blue&gt;'>
  <META NAME=og:site_name CONTENT=Birds><meta property="og:image" content="/kingfisher.jpg?w=1&amp;h=2">
  <meta name="theme-color" content="#39F"><meta name=author content="Ada"><meta property="article:published_time"
  content="2026-05-05T12:00:00+02:00"></head><body><title>no</title><meta property="og:title" content="no">`

describe('the title, text and picture of a page', () => {
  test('is read from OpenGraph, Twitter cards, meta elements and the title, in this order', async () => {
    for (const size of [1, 7, 1460, 100_000]) {
      const head = await read(FULL, undefined, size)
      expect(previewOf(head)).toEqual({
        type: 'link',
        title: 'The kingfisher’s dive'.replace('’', "'"),
        description: 'A bird <blue>',
        color: '#3399ff',
        site_name: 'Birds',
        author: { name: 'Ada', url: null },
        fields: [],
        image: null,
        thumbnail: null,
        footer: null,
        timestamp: '2026-05-05T10:00:00.000Z',
      })
      expect(pictureOf(head, new URL('https://birds.example/a/b'))?.href).toBe(
        'https://birds.example/kingfisher.jpg?w=1&h=2',
      )
    }
    expect(await titleOf('<title>Only <b>this</b></title>')).toBe('Only <b>this</b>')
    expect(await titleOf('<meta name="twitter:title" content="T"><title>U</title>')).toBe('T')
    expect(await titleOf('<svg><title>a picture</title></svg><title>the page</title>')).toBe('the page')
    expect(previewOf(await read('<meta property="og:type" content="video.other"><title>Film</title>'))?.type).toBe(
      'video',
    )
  })

  test('is the same for a mebibyte that comes in parts of three bytes', async () => {
    const metas = `${'<meta name="keywords" content="a &amp; b">'.repeat(26_000)}<!-- <title>no</title> -->`
    const html = `${metas}<title>King&amp;fisher</title>${metas}<meta name="description" content="A &lt;bird">`
    const small = await read(html.slice(-MIB), undefined, 3)
    expect([small.title, small.meta]).toEqual(['', new Map([['description', 'A <bird']])])
    const whole = await read(html, undefined, MIB)
    expect(await read(html, undefined, 1460)).toMatchObject({ title: 'King&fisher', meta: whole.meta })
  })

  test('nothing after the head is waited for', async () => {
    async function* endless() {
      yield Buffer.from(`<title>Head</title>${' '.repeat(2000)}</head>`)
      for (;;) yield Buffer.from('<p>more')
    }
    expect((await readPageHead(endless(), undefined)).title).toBe('Head')
  })

  const CHARSETS: [string, string | undefined, number[], string][] = [
    ['windows-1251', 'windows-1251', [0xcf, 0xf0, 0xe8], 'При'],
    ['Shift_JIS', 'Shift_JIS', [0x82, 0xa0], 'あ'],
    ['GB18030', 'gb18030', [0xc4, 0xe3], '你'],
    ['EUC-KR', 'euc-kr', [0xb0, 0xa1], '가'],
    ['nothing declared, UTF-8', undefined, [0xc3, 0xa9], 'é'],
    ['nothing declared, not UTF-8', undefined, [0xe9], 'é'],
    ['a charset that does not exist', 'klingon', [0xc3, 0xa9], 'é'],
    ['the replacement charset', 'replacement', [0xc3, 0xa9], 'é'],
  ]
  test.each(CHARSETS)('%s is decoded', async (_, charset, bytes, text) => {
    const html = Buffer.concat([Buffer.from('<title>'), Buffer.from(bytes), Buffer.from('</title>')])
    expect(await titleOf(html, charset)).toBe(text)
    if (charset) expect(await titleOf(Buffer.concat([Buffer.from(`<meta charset="${charset}">`), html]))).toBe(text)
    const equiv = `<meta http-equiv=Content-Type content="text/html; charset=${charset ?? ''}">`
    expect(await titleOf(Buffer.concat([Buffer.from(equiv), html]))).toBe(text)
  })

  test('a byte order mark outweighs the header, and the header the page', async () => {
    const utf16 = Buffer.from('\ufeff<title>Zwölf</title>', 'utf16le')
    expect(await titleOf(utf16, 'utf-8')).toBe('Zwölf')
    expect(await titleOf(Buffer.from(utf16).swap16(), 'windows-1252')).toBe('Zwölf')
    expect(await titleOf('\ufeff<title>Zwölf</title>', 'windows-1251')).toBe('Zwölf')
    expect(await titleOf('<meta charset=shift_jis><title>Zwölf</title>', 'utf-8')).toBe('Zwölf')
    // A page in UTF-16 could not have been read so far.
    expect(await titleOf('<meta charset=utf-16><title>Zwölf</title>')).toBe('Zwölf')
  })
})

const many = (text: string, bytes = 900_000) => text.repeat(Math.floor(bytes / text.length))

/** Pages without anything to show. */
const BROKEN: Record<string, string | Uint8Array> = {
  nothing: '',
  'white space': many(' \n'),
  zeros: new Uint8Array(100_000),
  'random bytes': crypto.getRandomValues(new Uint8Array(60_000)).map((byte) => (byte === 0x3c ? 0 : byte)),
  'text alone': 'Hello there',
  JSON: '{"title":"no"}',
  'a PNG': Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ', 'base64'),
  XML: '<?xml version="1.0"?><rss><channel><name>x</name></channel></rss>',
  'one bracket': '<',
  brackets: many('<'),
  'closing brackets': many('>'),
  'empty tags': many('<>'),
  'closing tags': many('</p>'),
  'nameless closing tags': many('</>'),
  'a tag that never ends': `<p ${many('a ')}`,
  'an attribute that never ends': `<meta content="${many('a')}`,
  'an attribute without quotes that never ends': `<meta content=${many('a')}`,
  'a title that is empty': '<title></title>',
  'a title of white space': '<title> \n&nbsp; </title>',
  'a title of unseen characters': '<title>\u200b\u202e\u2066</title>',
  'a title in a comment': '<!-- <title>no</title> -->',
  'a comment that never ends': `<!-- ${many('<title>no</title>')}`,
  'comments that begin': many('<!--'),
  'a title in a script': '<script>"<title>no</title>"</script>',
  'a script that never ends': `<script>${many('<title>no</title>')}`,
  'a style that never ends': `<style>${many('<title>no</title>')}`,
  'a textarea that never ends': `<textarea>${many('<title>no</title>')}`,
  'a title after the head': '<head></head><title>no</title>',
  'a title in the body': '<body><title>no</title>',
  'metas in the body': '<body><meta property="og:title" content="no">',
  'a title in a picture': '<svg><title>no</title></svg>',
  'pictures in pictures': `${many('<svg>', 100_000)}<title>no</title>`,
  'metas without content': '<meta property="og:title"><meta name="description" content="">',
  'metas without a name': many('<meta content="no">'),
  'a meta that never closes its quote': '<meta property="og:title content="no"><p>',
  nesting: many('<div>'),
  'nesting closed by another': many('<b>', 450_000) + many('</i>', 450_000),
  misnested: many('<b><i></b></i>'),
  declarations: many('<!doctype html>'),
  'odd declarations': many('<!x>'),
  'processing instructions': many('<?x?>'),
  CDATA: `<![CDATA[<title>no</title>]]>`,
  entities: many('&amp;'),
  'unknown entities': many('&nosuchthing'),
  ampersands: many('&'),
  'huge entities': many('&#x10FFFFFFFFFFF;'),
  'a frameset': '<frameset><title>no</title>',
  slashes: many('</'),
  'attributes alone': `<meta ${many('a=b ')}>`,
  'quotes alone': many(`"'`),
  plaintext: '<plaintext><title>no</title>',
  'template brackets': many('{{<%= %>}}'),
  'UTF-16 without its mark': Buffer.from('<title>no</title>', 'utf16le'),
  'a name in capitals without content': '<META PROPERTY=OG:TITLE CONTENT>',
}

/** Broken pages that browsers nevertheless read. */
const MENDED: Record<string, [string, string]> = {
  'a title that never ends': [`<title>${'Kingfisher '.repeat(100_000)}`, `${'Kingfisher '.repeat(18)}K…`],
  'no quotes': ['<meta property=og:title content=Bird>', 'Bird'],
  'attributes that touch': ['<meta property="og:title"content="Bird">', 'Bird'],
  'an attribute twice': ['<meta property="og:title" content="Bird" content="Cat">', 'Bird'],
  'a title twice': ['<title>Bird</title><title>Cat</title>', 'Bird'],
  'entities without a semicolon': ['<title>Bird &amp Cat &copy 2026</title>', 'Bird & Cat © 2026'],
  'entities of no character': ['<title>a&#0;b&#xD800;c&#x110000;</title>', 'a�b�c�'],
  'controls and turned text': ['<title>a\u0007\u202eb\u2069\r\n c</title>', 'a b c'],
  'no end tags': ['<html><head><title>Bird</title><p>', 'Bird'],
  'a mark of UTF-8 that is cut': ['<title>Bird\xc3</title>', 'BirdÃ'],
}

describe('broken pages', () => {
  test('fifty kinds of broken pages are tested', () => expect(Object.keys(BROKEN).length).toBeGreaterThanOrEqual(50))

  test.each(Object.entries(BROKEN))('%s gives no preview', async (_, html) => {
    expect(previewOf(await read(html, undefined, 16_384))).toBeUndefined()
    expect(previewOf(await read(Buffer.from(html).subarray(0, 3000), undefined, 1))).toBeUndefined()
  })

  test.each(Object.entries(MENDED))('%s: the preview reads the same as browsers', async (_, [html, title]) => {
    expect(await titleOf(html)).toBe(title)
  })

  test('texts are cut before any other processing', () => {
    expect(tidyText('e\u0301'.repeat(500_000), 10)).toBe(`${'é'.repeat(9)}…`)
    expect(tidyText(`a${'\u0301'.repeat(500_000)}`, 200)).toBe('a')
    expect(tidyText('🐦'.repeat(100_000), 3)).toBe('🐦🐦…')
    expect(tidyText('\ud800 x', 10)).toBe('� x')
    expect(tidyText('\u200b', 10)).toBeNull()
  })
})

describe('links of a message', () => {
  test('are the first five, each once, without the punctuation of the sentence', () => {
    expect(linksIn('See https://a.example/x, (http://b.example/y_(z)) and HTTPS://c.example!')).toEqual([
      'https://a.example/x',
      'http://b.example/y_(z)',
      'HTTPS://c.example',
    ])
    expect(linksIn('[a bird](https://a.example/b) https://a.example/b **https://d.example/**')).toEqual([
      'https://a.example/b',
      'https://d.example/',
    ])
    const six = [1, 2, 3, 4, 5, 6].map((n) => `http://${n}.example/`)
    expect(linksIn(six.join(' '))).toEqual(six.slice(0, 5))
  })

  test('in code and in <…> are ignored', () => {
    const quiet = ['`https://a.example`', '``https://a.example``', '```\nhttps://a.example\n```', '<https://a.example>']
    for (const text of quiet) expect(linksIn(`x ${text} y`)).toEqual([])
    expect(linksIn('`a` https://b.example `c`')).toEqual(['https://b.example'])
    expect(linksIn('```\nhttps://b.example')).toEqual(['https://b.example'])
  })

  test('with other schemes, without a host or endless are ignored', () => {
    expect(linksIn('ftp://a.example javascript:alert(1) https:// http://? xhttps://a.example')).toEqual([])
    expect(linksIn(`https://a.example/${'x'.repeat(3000)}`)).toEqual([])
    for (const sign of ['(', ')', '`', '<http://', 'http://', '```', '.', '[http://']) linksIn(sign.repeat(4000))
  })
})
