/** Cipher suites that calls do not use, most of which are not installed, and Node's crypto. */
const LEFT_OUT =
  /^(?:crypto|@hpke\/(?:chacha20poly1305|dhkem-x448|hybridkem-x-wing|ml-kem)|@noble\/(?:curves|post-quantum)\/.*)$/

/**
 * Leaves out of the client what browsers never load. The library of the calls' encryption imports Node's crypto only
 * where there is no WebCrypto, and a cipher suite only when it is chosen. Bun's polyfill of Node's crypto has 100 KB of
 * brotli.
 */
export const leftOutImports: Bun.BunPlugin = {
  name: 'left-out imports',
  setup(build) {
    build.onResolve({ filter: LEFT_OUT }, ({ path }) => ({ path, namespace: 'left-out' }))
    build.onLoad({ filter: /./, namespace: 'left-out' }, () => ({ contents: 'export {}', loader: 'js' }))
  },
}
