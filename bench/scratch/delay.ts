import { basename, join } from 'node:path'
import { loadavg } from 'node:os'
import { launchChromium } from '../../test/support/browser/chromium.ts'
import { seed } from '../seed.ts'
import { withServer } from '../server.ts'
const page = await Bun.build({ entrypoints: [join(import.meta.dir, '../voice-page.ts')], target: 'browser', splitting: true })
const worker = await Bun.build({ entrypoints: [join(import.meta.dir, 'delay-worker.ts')], target: 'browser' })
const files = new Map<string, string>()
for (const f of page.outputs) files.set(basename(f.path), await f.text())
files.set('frame-worker.js', await worker.outputs[0]!.text())
const site = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch({ url }) {
  const s = files.get(basename(new URL(url).pathname))
  return s === undefined ? new Response('<!doctype html><script type="module" src="/voice-page.js"></script>', { headers: { 'content-type': 'text/html' } }) : new Response(s, { headers: { 'content-type': 'text/javascript' } })
} })
await withServer(async (bench: any) => {
  const people: any = await seed(bench, { users: 2, servers: 1, servers_per_user: 1, channels_per_server: 1 })
  await bench.sql`update channels set type = 'voice'`
  const browser = await launchChromium()
  const pages: any[] = []
  for (const who of people) {
    const p = await browser.newPage()
    p.on('console', (m: any) => m.text().startsWith('DELAY') && console.log(m.text()))
    await p.goto(site.url.href)
    await p.waitForFunction('globalThis.partner !== undefined')
    await p.evaluate(([u]: any) => (globalThis as any).partner.connect(u, true), [`${bench.url.replace(/^http/, 'ws')}/ws?token=${who.token}`] as const)
    pages.push(p)
  }
  for (const p of pages) await p.evaluate(() => (globalThis as any).partner.join(1, false))
  for (const p of pages) await p.evaluate(() => (globalThis as any).partner.film())
  await Bun.sleep(16000)
  console.log('load', loadavg()[0])
  await browser.close()
}, undefined, { TURN_PORT: '0', TURN_ALLOWED_PEERS: '127.0.0.0/8', CALLS_ENCRYPTION: 'preferred' })
process.exit(0)
