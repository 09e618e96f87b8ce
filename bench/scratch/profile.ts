import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { loadavg } from 'node:os'
import { launchChromium } from '../../test/support/browser/chromium.ts'
import { seed } from '../seed.ts'
import { withServer } from '../server.ts'

const VARIANTS = (process.env['VARIANTS'] ?? 'none,pass,full').split(',')
const TURNS = Number(process.env['TURNS'] ?? 2)
const SECONDS = Number(process.env['SECONDS_TALK'] ?? 15)
function threads(): Map<string, number> {
  const parents = new Map<number, number>(), names = new Map<number, string>()
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) try {
    const [, name = '', ppid] = /^\d+ \((.*)\) \S (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    parents.set(pid, Number(ppid)); names.set(pid, name)
  } catch {}
  const ours = (pid: number): boolean => { const p = parents.get(pid); return p !== undefined && (p === process.pid || ours(p)) }
  const out = new Map<string, number>()
  for (const [pid, name] of names) if (name.startsWith('chrom') && ours(pid)) try {
    const cmd = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const type = /--type=(\w+)/.exec(cmd)?.[1] ?? 'browser'
    const sub = /--utility-sub-type=([\w.]+)/.exec(cmd)?.[1] ?? ''
    for (const tid of readdirSync(`/proc/${pid}/task`)) try {
      const stat = readFileSync(`/proc/${pid}/task/${tid}/schedstat`, 'utf8')
      const comm = readFileSync(`/proc/${pid}/task/${tid}/comm`, 'utf8').trim().replace(/\d+$/,'')
      const key = `${type}${sub && ':' + sub.split('.')[0]}/${tid === String(pid) ? 'main' : comm}`
      out.set(key, (out.get(key) ?? 0) + Number(stat.split(' ')[0]) / 1e6)
    } catch {}
  } catch {}
  return out
}
async function servePage(variant: string) {
  const page = await Bun.build({ entrypoints: [join(import.meta.dir, '../voice-page.ts')], target: 'browser', splitting: true })
  const entry = process.env['REAL'] === variant ? '../../src/web/voice/sealing/frame-worker.ts' : 'worker.ts'
  const worker = await Bun.build({ entrypoints: [join(import.meta.dir, entry)], target: 'browser', define: { VARIANT: JSON.stringify(variant) } })
  const files = new Map<string, string>()
  for (const f of page.outputs) files.set(basename(f.path), await f.text())
  files.set('frame-worker.js', await worker.outputs[0]!.text())
  return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch({ url }) {
    const s = files.get(basename(new URL(url).pathname))
    return s === undefined ? new Response('<!doctype html><script type="module" src="/voice-page.js"></script>', { headers: { 'content-type': 'text/html' } }) : new Response(s, { headers: { 'content-type': 'text/javascript' } })
  } })
}
await withServer(async (bench: any) => {
  const people: any = await seed(bench, { users: 2, servers: 1, servers_per_user: 1, channels_per_server: 1 })
  await bench.sql`update channels set type = 'voice'`
  const sums = new Map<string, Map<string, number[]>>()
  for (let turn = 0; turn < TURNS; turn++) for (const variant of turn % 2 ? VARIANTS.toReversed() : VARIANTS) {
    const site = await servePage(variant)
    const browser = await launchChromium()
    const pages: any[] = []
    for (const who of people) {
      const page = await browser.newPage()
      await page.goto(site.url.href)
      await page.waitForFunction('globalThis.partner !== undefined')
      await page.evaluate(([u, s]: any) => (globalThis as any).partner.connect(u, s), [`${bench.url.replace(/^http/, 'ws')}/ws?token=${who.token}`, variant !== 'none'] as const)
      pages.push(page)
    }
    for (const p of pages) await p.evaluate(() => (globalThis as any).partner.join(1, false))
    for (const p of pages) await p.evaluate(() => (globalThis as any).partner.film())
    for (const p of pages) while ((await p.evaluate(() => (globalThis as any).partner.pictures())) === 0) await Bun.sleep(100)
    await Bun.sleep(8000)
    const pics0 = await Promise.all(pages.map((p) => p.evaluate(() => (globalThis as any).partner.pictures())))
    const [t0, a] = [performance.now(), threads()]
    await Bun.sleep(SECONDS * 1000)
    const [b, ms] = [threads(), performance.now() - t0]
    const pics1 = await Promise.all(pages.map((p) => p.evaluate(() => (globalThis as any).partner.pictures())))
    const m = sums.get(variant) ?? new Map(); sums.set(variant, m)
    let total = 0
    const add = (k: string, v: number) => m.set(k, [...(m.get(k) ?? []), v])
    for (const [k, v] of b) { const d = ((v - (a.get(k) ?? 0)) / ms) * 100; total += d; add(k, d) }
    add('TOTAL', total); add('fps', (pics1.reduce((x: number, y: number) => x + y, 0) - pics0.reduce((x: number, y: number) => x + y, 0)) / ms * 1000)
    console.log(variant, total.toFixed(1), 'load', loadavg()[0]!.toFixed(2))
    await browser.close(); await site.stop(true)
  }
  const keys = [...new Set([...sums.values()].flatMap((m) => [...m.keys()]))]
  const med = (v: number[] = [0]) => v.toSorted((x, y) => x - y)[Math.floor(v.length / 2)]!
  const rows = keys.map((k) => [k, ...VARIANTS.map((v) => med(sums.get(v)?.get(k)))] as [string, ...number[]]).filter((r) => Math.max(...(r.slice(1) as number[])) > 0.25)
  rows.sort((x, y) => y[1] - x[1])
  console.log(['thread', ...VARIANTS].join('\t'))
  for (const r of rows) console.log([r[0].padEnd(44), ...r.slice(1).map((n) => (n as number).toFixed(2))].join('\t'))
}, undefined, { TURN_PORT: '0', TURN_ALLOWED_PEERS: '127.0.0.0/8', CALLS_ENCRYPTION: 'preferred' })
process.exit(0)
