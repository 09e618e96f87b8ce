/**
 * Leaves Node's crypto out of what browsers load. The library of the calls' encryption imports it only where there is
 * no WebCrypto; Bun's polyfill, which nobody would load, has 100 KB of brotli.
 */
export const withoutNodeCrypto: Bun.BunPlugin = {
  name: 'without crypto of Node',
  setup: (build) => void build.onResolve({ filter: /^crypto$/ }, ({ path }) => ({ path, external: true })),
}
