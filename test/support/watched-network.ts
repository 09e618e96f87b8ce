import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { debianProgram } from './debian.ts'
import { leaveNoNamespace, removeNamespaces } from './reaper.ts'

/** The only way out of the network, and its name server. */
export const GATEWAY = '198.51.100.1'
/** The address of every name; nobody has it, so that what is sent there is not answered. */
export const EVERYWHERE = '198.51.100.9'

/**
 * Counts what leaves, by destination: what the kernel itself says about its neighbours on IPv6 apart. The rules stand
 * inside the network, where packets begin.
 */
const RULES = `
table inet outside {
  set seen4 { type ipv4_addr . inet_proto . inet_service; flags dynamic; }
  set seen6 { type ipv6_addr . inet_proto . inet_service; flags dynamic; }
  counter sent {}
  chain leaving {
    type filter hook output priority 0
    oifname "lo" accept
    icmpv6 type { nd-neighbor-solicit, nd-neighbor-advert, nd-router-solicit } accept
    icmpv6 type { mld-listener-report, mld2-listener-report } accept
    counter name sent
    add @seen4 { ip daddr . meta l4proto . th dport }
    add @seen6 { ip6 daddr . meta l4proto . th dport }
  }
}`

/** A name server that answers every question with one address, and prints the name. */
const RESOLVER = `
const socket = await Bun.udpSocket({ hostname: '${GATEWAY}', port: 53, socket: { data(socket, question, port, address) {
  const labels = []
  let at = 12
  for (; question[at] !== 0; at += question[at] + 1)
    labels.push(question.toString('latin1', at + 1, at + 1 + question[at]))
  const isIPv4 = question.readUInt16BE(at + 1) === 1
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...${JSON.stringify(EVERYWHERE.split('.').map(Number))}]
  const head = [question[0], question[1], 0x81, 0x80, 0, 1, 0, isIPv4 ? 1 : 0, 0, 0, 0, 0]
  socket.send(Buffer.from([...head, ...question.subarray(12, at + 5), ...(isIPv4 ? record : [])]), port, address)
  console.log(labels.join('.'))
} } })
console.log('ready')`

/** A network of its own, with one way out, at which packets are counted. */
export class WatchedNetwork {
  readonly #inside = `in${process.pid}`
  readonly #outside = `out${process.pid}`
  readonly #resolv = join(mkdtempSync(join(tmpdir(), 'network-')), 'resolv.conf')
  #resolver: Bun.Subprocess<'ignore', 'pipe', 'inherit'> | undefined
  #output = ''

  /** @returns undefined, said loudly, where namespaces are not permitted */
  static async open(): Promise<WatchedNetwork | undefined> {
    const network = new WatchedNetwork()
    const has = debianProgram('ip', 'iproute2') && debianProgram('nft', 'nftables')
    if (has && network.#make()) {
      await network.#resolve()
      return network
    }
    network.close()
    console.error('SKIPPED LOUDLY: network namespaces are not permitted here; nobody counts what leaves the server')
  }

  #make(): boolean {
    const [here, there] = [this.#inside, this.#outside]
    leaveNoNamespace(here, there)
    writeFileSync(this.#resolv, `nameserver ${GATEWAY}\n`)
    const script = `
      for name in ${here} ${there}; do ip netns add $name; ip -n $name link set lo up; done
      ip link add eth0 netns ${here} type veth peer name eth0 netns ${there}
      ip -n ${there} addr add ${GATEWAY}/24 dev eth0; ip -n ${there} addr add 2001:db8::1/64 dev eth0 nodad
      ip -n ${here} addr add 198.51.100.2/24 dev eth0; ip -n ${here} addr add 2001:db8::2/64 dev eth0 nodad
      for name in ${here} ${there}; do ip -n $name link set eth0 up; done
      ip -n ${here} route add default via ${GATEWAY}; ip -n ${here} -6 route add default via 2001:db8::1`
    if (!Bun.spawnSync(['sh', '-ec', script]).success) return false
    const nft = Bun.spawnSync(['ip', 'netns', 'exec', here, 'nft', '-f', '-'], { stdin: Buffer.from(RULES) })
    if (!nft.success) throw new Error(nft.stderr.toString())
    return true
  }

  async #resolve(): Promise<void> {
    const command = ['ip', 'netns', 'exec', this.#outside, process.execPath, '-e', RESOLVER]
    const resolver = Bun.spawn(command, { env: process.env, stdio: ['ignore', 'pipe', 'inherit'] })
    this.#resolver = resolver
    const ready = Promise.withResolvers<void>()
    void (async () => {
      const decoder = new TextDecoder()
      for await (const chunk of resolver.stdout) {
        this.#output += decoder.decode(chunk)
        if (this.#output.startsWith('ready\n')) ready.resolve()
      }
    })()
    await ready.promise
  }

  /** The command that runs its arguments in the network. */
  get wrapper(): string[] {
    const script = 'mount --bind "$1" /etc/resolv.conf; namespace=$2; shift 2; exec ip netns exec "$namespace" "$@"'
    return ['unshare', '--mount', 'sh', '-ec', script, 'sh', this.#resolv, this.#inside]
  }

  /** The names that were asked for. */
  names = (): string[] => [...new Set(this.#output.split('\n').slice(1, -1))].sort()

  /** How many packets have left, and where to, as `address protocol port`. */
  departed(): { packets: number; destinations: string[] } {
    const list = Bun.spawnSync(['ip', 'netns', 'exec', this.#inside, 'nft', '-j', 'list', 'ruleset'])
    const { nftables } = JSON.parse(list.stdout.toString()) as { nftables: Rule[] }
    const packets = nftables.flatMap(({ counter }) => (counter ? counter.packets : []))
    const seen = nftables.flatMap(({ set }) => set?.elem ?? [])
    return { packets: packets[0] ?? Number.NaN, destinations: seen.map(({ concat }) => concat.join(' ')).sort() }
  }

  close(): void {
    this.#resolver?.kill()
    removeNamespaces(this.#inside, this.#outside)
  }
}

interface Rule {
  counter?: { packets: number }
  set?: { elem?: { concat: (string | number)[] }[] }
}
