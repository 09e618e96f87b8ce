import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { ownAddresses } from '../../../src/core/own-addresses.ts'
import { ipText } from '../../../src/core/ip.ts'
import { Destinations, type Lookup } from '../../../src/features/previews/destinations.ts'
import { WebFetcher } from '../../../src/features/previews/web-fetcher.ts'
import { until } from '../../support/until.ts'
import { dripping, endlessly, page, response, WebHost } from '../../support/web-host.ts'

const MIB = 1024 * 1024
const nothing = { TURN_ANNOUNCED_ADDRESS: [], SFU_ANNOUNCED_ADDRESS: undefined, PUBLIC_URL: undefined }
const destinations = (allowed: string[], lookup?: Lookup, announced: object = {}) =>
  new Destinations({ ...nothing, ...announced, PREVIEW_ALLOWED_ADDRESSES: allowed }, lookup)

const host = await new WebHost().listen()
afterAll(() => host.close())
const fetcher = new WebFetcher(destinations(['127.0.0.1']))

/** Fetches a page of at most a mebibyte. @returns its bytes, or the reason for a failure */
async function read(url: string, by = fetcher, ms = 3_000): Promise<Buffer | string> {
  try {
    const found = await by.fetch(new URL(url), '*/*', () => MIB, AbortSignal.timeout(ms))
    try {
      return Buffer.concat(await Array.fromAsync(found.body))
    } finally {
      found.close()
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('the addresses that the fetcher connects to', () => {
  test('a public address is judged once, and the fetcher connects to exactly that address', async () => {
    let lookups = 0
    const lookup: Lookup = async () => [lookups++ === 0 ? '127.0.0.1' : '10.0.0.1']
    const pinned = new WebFetcher(destinations(['127.0.0.1'], lookup))
    host.on('/pinned', page('here'))
    await expect(String(await read(`http://birds.example:${host.port}/pinned`, pinned))).toBe('here')
    expect(lookups).toBe(1)
    expect(host.requests.at(-1)).toContain(`Host: birds.example:${host.port}\r\n`)
    // The next request resolves again, and the new address is judged.
    expect(await read(`http://birds.example:${host.port}/pinned`, pinned)).toBe('port')
    expect(await read('http://birds.example/pinned', pinned)).toBe('address')
  })

  const PRIVATE = `127.0.0.1 127.8.8.8 0.0.0.0 0.1.2.3 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255
    192.0.0.8 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.7 224.0.0.1 239.1.1.1 240.0.0.1
    255.255.255.255 ::1 :: ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1
    64:ff9b::a9fe:a9fe 64:ff9b:1::1 2002:7f00:1:: 2002:a00:1::1 2001:0:7f00:1::1 2001::80ff:fffe 100::1 fc00::1
    fd12:3456::1 fe80::1 fe80::1%lo fec0::1 ff02::1 2001:db8::1 3fff::1 5f00::1 4000::1 8000::1
    2600::5efe:127.0.0.1`.split(/\s+/)

  test.each(PRIVATE)('%s is refused, as a name’s address and in a URL', async (address) => {
    const lying = destinations([], async () => ['93.184.216.34', address])
    await expect(lying.resolve(new URL('https://birds.example/'))).rejects.toThrow('address')
    if (address.includes('%')) return
    const literal = address.includes(':') ? `[${address}]` : address
    await expect(destinations([]).resolve(new URL(`http://${literal}/`))).rejects.toThrow('address')
  })

  test('other spellings of loopback are refused', async () => {
    for (const spelling of [
      '127.1',
      '2130706433',
      '0x7f.0.0.1',
      '0177.0.0.1',
      '127.0.0.1.',
      '⑫7.0.0.1',
      '[::ffff:7f00:1]',
    ])
      await expect(destinations([]).resolve(new URL(`http://${spelling}/`))).rejects.toThrow('address')
  })

  test('public addresses are taken, in both families and behind NAT64', async () => {
    const addresses = ['93.184.216.34', '2606:2800:220:1::1', '64:ff9b::5db8:d822']
    await expect(await destinations([], async () => addresses).resolve(new URL('https://birds.example/'))).toEqual({
      addresses,
      port: 443,
      host: 'birds.example',
    })
  })

  test('the addresses of this machine, the announced ones and those of PUBLIC_URL are refused', async () => {
    for (const { ip } of ownAddresses())
      await expect(
        destinations([], async () => [ipText(ip)]).resolve(new URL('http://birds.example/')),
      ).rejects.toThrow('address')
    const announced = { TURN_ANNOUNCED_ADDRESS: ['93.184.216.1'], SFU_ANNOUNCED_ADDRESS: '93.184.216.2' }
    const all = { ...announced, PUBLIC_URL: 'https://93.184.216.3' }
    for (const address of ['93.184.216.1', '93.184.216.2', '93.184.216.3', '::ffff:93.184.216.1'])
      await expect(destinations([], async () => [address], all).resolve(new URL('http://x.example'))).rejects.toThrow(
        'address',
      )
    await expect(
      (await destinations([], async () => ['93.184.216.4'], all).resolve(new URL('http://x.example'))).port,
    ).toBe(80)
  })

  test('other schemes, ports and credentials are refused before a name is resolved', async () => {
    let lookups = 0
    const guarded = destinations([], async () => [`93.184.216.${++lookups}`])
    const refused = {
      'ftp://birds.example/': 'scheme',
      'file:///etc/passwd': 'scheme',
      'gopher://birds.example/': 'scheme',
      'http://birds.example:22/': 'port',
      'https://birds.example:8443/': 'port',
      'http://birds.example:443/': 'port',
      'https://alice:secret@birds.example/': 'credentials',
      'https://alice@birds.example/': 'credentials',
    }
    for (const [url, reason] of Object.entries(refused))
      await expect(guarded.resolve(new URL(url))).rejects.toThrow(reason)
    expect(lookups).toBe(0)
  })

  test('redirects to private addresses, ports, schemes and credentials are refused, and lead nowhere', async () => {
    const to = (location: string) => host.on('/away', response(302, { location }))
    const before = host.requests.length
    for (const location of [
      'http://10.0.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[::1]/',
      '//127.0.0.2/',
    ])
      expect(await read(to(location))).toMatch(/^(address|port)$/)
    expect(await read(to('http://[::ffff:10.0.0.1]/'))).toBe('address')
    expect(await read(to('file:///etc/passwd'))).toBe('scheme')
    expect(await read(to(`http://a:b@127.0.0.1:${host.port}/x`))).toBe('credentials')
    expect(await read(to('http://'))).toBe('location')
    expect(await read(to(`/${'x'.repeat(3000)}`))).toBe('location')
    expect(host.requests.length - before).toBe(9)
  })

  test('five redirects are followed, a sixth and a loop are not', async () => {
    for (let n = 0; n < 6; n++) host.on(`/hop${n}`, response(301, { location: `/hop${n + 1}` }))
    host.on('/hop6', page('the end'))
    expect(String(await read(host.url('/hop1')))).toBe('the end')
    expect(await read(host.url('/hop0'))).toBe('redirects')
    host.on('/loop', response(307, { location: '/loop' }))
    expect(await read(host.url('/loop'))).toBe('redirects')
    expect(host.count('/loop')).toBe(6)
  })

  test('a request carries no cookie, credentials or referrer and uses no proxy, whatever redirects say', async () => {
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY']
    for (const name of proxies) process.env[name] = 'http://127.0.0.1:1'
    host.on('/first', response(302, { location: '/second?q=1#part', 'set-cookie': 'a=b', 'www-authenticate': 'Basic' }))
    host.on('/second?q=1', page('fetched'))
    const got = await read(host.url('/first'))
    for (const name of proxies) delete process.env[name]
    expect(String(got)).toBe('fetched')
    const [, ...lines] = (host.requests.at(-1) ?? '').trimEnd().split('\r\n')
    expect(lines.map((line) => line.split(':')[0])).toEqual([
      'Host',
      'User-Agent',
      'Accept',
      'Accept-Encoding',
      'Connection',
    ])
    expect(host.requests.at(-1)).toStartWith('GET /second?q=1 HTTP/1.1\r\n')
  })
})

describe('responses of a hostile server', () => {
  const ok = (headers: string) => `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}\r\n`

  test('an endless body ends after a mebibyte, with and without chunks', async () => {
    const before = host.sent
    expect(await read(host.on('/endless', endlessly(ok(''), 'x'.repeat(16_384))))).toBe('long')
    const chunk = `4000\r\n${'y'.repeat(0x4000)}\r\n`
    expect(await read(host.on('/chunks', endlessly(ok('Transfer-Encoding: chunked\r\n'), chunk)))).toBe('long')
    expect(await read(host.on('/claimed', endlessly(ok('Content-Length: 999999999999\r\n'), 'z'.repeat(9999))))).toBe(
      'long',
    )
    await until(() => host.open === 0)
    // Socket buffers contain more than was read.
    expect(host.sent - before).toBeLessThan(64 * MIB)
  })

  test('bombs in gzip, deflate, brotli and zstd end after a mebibyte', async () => {
    const zeros = Buffer.alloc(200 * MIB)
    const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }
    const bombs = {
      gzip: gzipSync(zeros, { level: 1 }),
      deflate: deflateSync(zeros, { level: 1 }),
      br: brotliCompressSync(zeros, quick),
      zstd: zstdCompressSync(zeros),
    }
    Bun.gc(true)
    const before = process.memoryUsage().rss
    for (const [encoding, bomb] of Object.entries(bombs))
      expect([encoding, await read(host.on(`/${encoding}`, page(bomb, { 'content-encoding': encoding })))]).toEqual([
        encoding,
        'long',
      ])
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MIB)
  })

  test('honest compression is read; double, unknown, cut and garbled compression is not', async () => {
    const html = '<title>Kingfisher</title>'
    const encodings = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
    for (const [name, pack] of Object.entries(encodings))
      await expect(String(await read(host.on('/packed', page(pack(html), { 'content-encoding': name }))))).toBe(html)
    const twice = page(gzipSync(gzipSync(html)), { 'content-encoding': 'gzip, gzip' })
    expect(await read(host.on('/twice', twice))).toBe('encoding')
    expect(await read(host.on('/odd', page(html, { 'content-encoding': 'constructor' })))).toBe('encoding')
    for (const name of Object.keys(encodings)) {
      const garbled = await read(host.on('/garbled', page('no such thing at all', { 'content-encoding': name })))
      expect(typeof garbled).toBe('string')
    }
    // An endless stream that inflates to nothing is counted by its compressed bytes.
    const empty = gzipSync('')
    expect(
      await read(
        host.on('/nothing', endlessly(ok('Content-Encoding: gzip\r\n'), Buffer.concat(Array(500).fill(empty)))),
      ),
    ).toBe('long')
  })

  test('a slow drip of the head or the body ends with the time', async () => {
    for (const [path, answer] of [
      ['/drip-head', dripping('HTTP/1.1 200 OK\r\n', 'X-A: b\r\n')],
      ['/drip-body', dripping(ok(''), '<p>')],
      ['/silent', () => {}],
    ] as const)
      expect(await read(host.on(path, answer), fetcher, 400)).toBe('time')
    await until(() => host.open === 0)
  })

  test('a silent name server ends with the time', async () => {
    const silent = new WebFetcher(destinations([], () => new Promise(() => {})))
    expect(await read('http://birds.example/', silent, 200)).toBe('time')
  })

  const BROKEN: Record<string, [string, string]> = {
    'endless headers': [`HTTP/1.1 200 OK\r\n${'X-A: b\r\n'.repeat(6000)}`, 'long'],
    'one huge header': [`HTTP/1.1 200 OK\r\nX-A: ${'b'.repeat(100_000)}\r\n\r\n`, 'long'],
    'a header of nine kibibytes': [`HTTP/1.1 200 OK\r\nX-A: x${' '.repeat(9 * 1024)}x\r\n\r\n`, 'headers'],
    'too many headers': [`HTTP/1.1 200 OK\r\n${'A:b\r\n'.repeat(300)}\r\n`, 'headers'],
    'a folded header': ['HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n', 'headers'],
    'no status': ['200 OK\r\n\r\nhello', 'status'],
    'another protocol': ['220 mail.example ESMTP\r\n\r\n', 'status'],
    'HTTP/0.9': ['<title>hello</title>\r\n\r\n', 'status'],
    'an upgrade': ['HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n', 'status'],
    'endless early hints': ['HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50), 'status'],
    'two lengths': ['HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab', 'headers'],
    'a length and chunks': [
      'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'framing',
    ],
    'a negative length': ['HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nab', 'framing'],
    'a chunk of no size': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'framing'],
    'a chunk of endless size': [`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'0'.repeat(5000)}`, 'long'],
    'a chunk without its end': ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n', 'framing'],
    'a cut body': ['HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nab', 'cut'],
    'a cut head': ['HTTP/1.1 200 OK\r\nContent-Le', 'cut'],
    'nothing at all': ['', 'cut'],
    'an error': ['HTTP/1.1 500 Broken\r\nContent-Length: 2\r\n\r\nab', 'away'],
    'too many requests': ['HTTP/1.1 429 Too Many\r\nContent-Length: 2\r\n\r\nab', 'away'],
    'another error': ['HTTP/1.1 410 Gone\r\nContent-Length: 2\r\n\r\nab', 'status'],
    'a part': ['HTTP/1.1 206 Partial Content\r\nContent-Length: 2\r\n\r\nab', 'status'],
  }
  test.each(Object.entries(BROKEN))('%s is no page', async (_, [bytes, reason]) => {
    expect(await read(host.on('/broken', bytes))).toBe(reason)
  })

  test('spaces and tabs around a header’s value are none of it', async () => {
    host.on('/blanks', 'HTTP/1.1 200 OK\r\nContent-Length: \t 2\t \r\nX-Empty: \t \r\nX-None:\r\n\r\nab')
    expect(String(await read(host.url('/blanks')))).toBe('ab')
  })

  test('types without a preview are not read', async () => {
    const url = new URL(
      host.on('/film', endlessly('HTTP/1.1 200 OK\r\nContent-Type: video/mp4\r\n\r\n', 'x'.repeat(9999))),
    )
    const html = (type: string) => (type === 'text/html' ? MIB : 0)
    await expect(fetcher.fetch(url, '*/*', html, AbortSignal.timeout(3000))).rejects.toThrow('type')
    await until(() => host.open === 0)
  })
})

describe('TLS', () => {
  const directory = mkdtempSync(join(tmpdir(), 'preview-tls-'))
  const options =
    'openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=birds.example'
  const files = '-addext subjectAltName=DNS:birds.example -keyout key.pem -out cert.pem'.split(' ')
  const result = Bun.spawnSync([...options.split(' '), ...files], { cwd: directory })
  if (!result.success) throw new Error(result.stderr.toString())
  const cert = readFileSync(join(directory, 'cert.pem'), 'utf8')
  const key = readFileSync(join(directory, 'key.pem'), 'utf8')
  const secure = new WebHost({ key, cert })
  afterAll(() => secure.close())
  const to = destinations(['127.0.0.1'], async () => ['127.0.0.1'])

  test('the name of the URL is proven; a wrong name, an unknown issuer and no TLS get no request', async () => {
    await secure.listen()
    secure.on('/page', page('safe'))
    const trusting = new WebFetcher(to, { ca: cert })
    expect(String(await read(`https://birds.example:${secure.port}/page`, trusting))).toBe('safe')
    expect(secure.requests).toHaveLength(1)
    expect(await read(`https://cats.example:${secure.port}/page`, trusting)).toContain('altnames')
    expect(await read(`https://127.0.0.1:${secure.port}/page`, trusting)).toContain('altnames')
    expect(await read(`https://birds.example:${secure.port}/page`, new WebFetcher(to))).toContain('self signed')
    expect(await read(`http://birds.example:${secure.port}/page`, trusting)).toBe('cut')
    expect(typeof (await read(`https://birds.example:${host.port}/page`, trusting, 1000))).toBe('string')
    expect(secure.requests).toHaveLength(1)
  })

  test('a redirect from TLS to plain text is refused', async () => {
    secure.on('/down', response(302, { location: host.url('/page') }))
    expect(await read(`https://birds.example:${secure.port}/down`, new WebFetcher(to, { ca: cert }))).toBe('downgrade')
  })
})
