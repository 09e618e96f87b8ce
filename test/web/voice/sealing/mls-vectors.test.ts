import { expect, test } from 'bun:test'
import { emptyPskIndex, joinGroup, mlsExporter } from 'ts-mls'
import { refhash } from 'ts-mls/crypto/hash.js'
import { decryptWithLabel } from 'ts-mls/crypto/hpke.js'
import { deriveSecret, deriveTreeSecret, expandWithLabel } from 'ts-mls/crypto/kdf.js'
import { signWithLabel, verifyWithLabel } from 'ts-mls/crypto/signature.js'
import { initializeEpoch } from 'ts-mls/keySchedule.js'
import { decoded, suite } from '../../../../src/web/voice/sealing/mls.ts'
import { WELCOME } from './published-welcome.ts'

// Published test vectors of RFC 9420 for the cipher suite of calls: crypto-basics.json, key-schedule.json and one of
// passive-client-welcome.json of the MLS working group:
// https://github.com/mlswg/mls-implementations/tree/main/test-vectors.

const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')

test('secrets are derived as the published vectors say', async () => {
  const { kdf } = await suite()
  const derived = await deriveSecret(
    bytes('51bcdc853b2fffd6c0ce55953e99ce3f47c1135a35154422e71b313a088e5925'),
    'DeriveSecret',
    kdf,
  )
  expect(hex(derived)).toBe('fd12ac470b9a57a72290f77d437f28afabb7b4ef80b22c362aa7aa6dea9eeaf0')
  const ofTree = await deriveTreeSecret(
    bytes('7620af0827ddd6506a20fe3716458f48fd89715d1396ee578eff0750dd1ab926'),
    'DeriveTreeSecret',
    2_694_881_440,
    32,
    kdf,
  )
  expect(hex(ofTree)).toBe('f85fe97705982d10dbead53c4f83318479c2211e994bcf1ba615f0d8f66d6016')
  const expanded = await expandWithLabel(
    bytes('5c96b1772964bd54abf1a8d04d3bf699a7fe7b8fd631caf33a0440f699843e3e'),
    'ExpandWithLabel',
    bytes('9492c562f40b5b40d7bc1da471e9532fee88371ef86f2fc85f0f2a4dc7e9ae81'),
    16,
    kdf,
  )
  expect(hex(expanded)).toBe('c7dfff34de8da81aa8dd85828ad05344')
})

test('hashes, signatures and encrypted secrets are those of the published vectors', async () => {
  const { hash, signature, hpke } = await suite()
  const value = bytes('d322a8468c26e37b1f0f6664e91c1b81f0c3ba87ff1903604426d512e2451d6f')
  expect(hex(await refhash('RefHash', value, hash))).toBe(
    'a00d38eb47333e317599170dfbe420cbc542d7e615d27861935bc4200ccb6daa',
  )
  const content = bytes('ac833a785a00dc0a8e4d777d7b37ad403a33916334306730d4ce2e359e49169c')
  const publicKey = bytes('fa69d57b300537d17953e7292ceff3dd3a6b0284d1e5aa5bc35db01dd9ce78a4')
  const published = bytes(
    '8227e8cb94513227ebca109f6846c1c2d2952e11871e46bb571a9b0173e9cca9' +
      'a1937e6855183e4059669167908a36614bad713f914766f5d7ea8393c995d009',
  )
  const privateKey = bytes('6db310bb3cb063f3fc498e048dbd33885b260a7ee606c8ebd5231d2258b6e572')
  // Signatures of Ed25519 have no random part.
  expect(await signWithLabel(privateKey, 'SignWithLabel', content, signature)).toEqual(published)
  expect(await verifyWithLabel(publicKey, 'SignWithLabel', content, published, signature)).toBe(true)
  expect(await verifyWithLabel(publicKey, 'SignWithLabels', content, published, signature)).toBe(false)
  const key = await hpke.importPrivateKey(bytes('aa986a7941001bf2f509c54d8f61a5b419c8a0ff02634cf1ccea35b56c8fb002'))
  const plain = await decryptWithLabel(
    key,
    'EncryptWithLabel',
    bytes('86a8fab1597b2d3fc1498464259eb50852a36f5554589c747f2d6c1fbc67c3d4'),
    bytes('fde840e33c794491db60c2c20e26738b8756b045b33f44bf93b5551fdffbdc5c'),
    bytes('9fa3af0beaef151947d8af1a45cbc940181cc901d1437d7fc85e4dcb38a3273e730d414abee7eba789a5a55dbbce4cc7'),
    hpke,
  )
  expect(hex(plain)).toBe('dce54bc43e1bee8c4a9f6224ee9959d171c379c43d05383861307d3e52469a3f')
})

const GROUP = 'a897b53575b4dd35fed4466e4e714bfa949eaa72e616a9c68a47b39cb7a60d2e'
const INITIAL_SECRET = 'a897b53575b4dd35fed4466e4e714bfa949eaa72e616a9c68a47b39cb7a60d2e'
const EPOCHS = [
  {
    commit_secret: 'a22606222e350fd7f0937168fe7548fb06626ab143cba7611d641693b1447509',
    psk_secret: 'e871b247379522395689182736cb3d1e7b108d6ae934b802223975de8dc3f80b',
    tree_hash: '9769e302a99c457350a8e636009b12a2fee068664004606d6318eb3a1977d818',
    confirmed_transcript_hash: '5e57c9364dc71f0f71b19ffe561ab77257c490708a47e29f8f73f2b318201d2f',
    init_secret: '505be2ce2ff922aa11e0a03d76346dda2981f1d9edf5cf98ecfc8757f69b00c9',
    exporter_secret: '5a097e149f2a375d0b9e1d1f4dc3a9c6c1788df888e5441f41a8791f4dc56cea',
    epoch_authenticator: '7375d449cde2c5a856c13c8eb52c16bf9ef29eceef59b09d1f946bd1bac24643',
    label: '9ba13d54ecdec7cbefcb47b4268d7b1990fabc6d6e67681e167959389d84e4e4',
    context: '884f1af892ab002f5be4c5d5081ade9e0e6418c6ea7a9a92e90534f19dcef785',
    exported: 'dbce4e25e59ab4dfa6f6200f113ed08393cf6e7286d024811141c6a4dd11c0cb',
  },
  {
    commit_secret: '7b3027aa5d2224aab7e2a18660bbf57930e2e21d95e02b849c704d970e3e28c5',
    psk_secret: 'ca7a68f2a8a52147d70f1eb7195de968d2e182b93596bc5a61393861e91180e4',
    tree_hash: '826a4d3b0956277ce5e272e4d18fdca023ffb63ea4cea636e34cc837ae7c5c5d',
    confirmed_transcript_hash: '14a2985ea47db0685924a74d47ac8a08ec241f843b536dd1348e3ffb2d78184e',
    init_secret: '88586b2252f06838106a97f5ad1f3357d99d718be8f44f61ab103be653fc608a',
    exporter_secret: '047d983048b132b79ea4e2e578afd02a0f4717d166cefe46e43e2e965b5c9f4e',
    epoch_authenticator: '4bdbe62402b3caaadaf5c6fafd89db4db5ac7c7532f3e47d35c82b3998570361',
    label: 'ed66d7f1da52171ac9448f0f902edcfefa4ebbda843a43bd3d173cb7c5b4331e',
    context: '02dc18fc5bc4d9093cf41fa0053521653775b123784d40ac7d46cc5a72ef4d46',
    exported: 'a702c3e70a89c06eae51aec3675918a4ee7698ae88c596dfb7abd1ed3a9ecf5e',
  },
  {
    commit_secret: 'd2825785628f1ea7404d6761f27272af5f99416ea28cc9d335df47ed2b0097d4',
    psk_secret: '599aa672406270914c60d30b7a31d2f2e217c3b5298b279b79e34c65a60e5f24',
    tree_hash: '661ce3bd9ebec8608fa97bf5413a4588f50a8f9face225ec67a6d29c862b2516',
    confirmed_transcript_hash: 'b5d7ec8c9d8b6a28c9467fe4918844be6acc08e98c1e10c71122e95f9a5e78c5',
    init_secret: 'ca13f80a46a3dff48551759bdeb081fcbf0a0be6fc74e33fc56209b377922a83',
    exporter_secret: '69cb23d2ff46b36c466ad48911fd56ee108ab8d4ec1c91028622e9a93c067710',
    epoch_authenticator: '408990a9228b3303b8cf89979d8698836fed7a4092220f91ec1753d56be14df6',
    label: '06f549e9bf966d7b7135b6ef6d4e3032a1c720adf0281c3ef1c0beac0da88621',
    context: 'b0fa7e3f0f2199278a55267d551d43946bbfc6d847632867dd86abd1217982a5',
    exported: '07dd60ff9acb0278f80cae4c6f4ee69c745481f5bf967b21d237c18e48d78b4b',
  },
]

test('the secrets of each epoch, and what calls export from them, are those of the published vectors', async () => {
  const implementation = await suite()
  let initSecret: Uint8Array = bytes(INITIAL_SECRET)
  for (const [number, published] of EPOCHS.entries()) {
    const { keySchedule } = await initializeEpoch(
      initSecret,
      bytes(published.commit_secret),
      {
        version: 'mls10',
        cipherSuite: 'MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519',
        groupId: bytes(GROUP),
        epoch: BigInt(number),
        treeHash: bytes(published.tree_hash),
        confirmedTranscriptHash: bytes(published.confirmed_transcript_hash),
        extensions: [],
      },
      bytes(published.psk_secret),
      implementation.kdf,
    )
    const { exporterSecret, epochAuthenticator } = keySchedule
    expect(hex(exporterSecret)).toBe(published.exporter_secret)
    expect(hex(epochAuthenticator)).toBe(published.epoch_authenticator)
    // The label is a text of hexadecimal digits, not what they stand for.
    const { label, context, exported } = published
    expect(hex(await mlsExporter(exporterSecret, label, bytes(context), 32, implementation))).toBe(exported)
    initSecret = keySchedule.initSecret
    expect(hex(initSecret)).toBe(published.init_secret)
  }
})

test('a member added by the published welcome has the secrets of the other implementation', async () => {
  const implementation = await suite()
  const [welcome, keyPackage] = [decoded(WELCOME.welcome), decoded(WELCOME.keyPackage)]
  if (welcome.wireformat !== 'mls_welcome' || keyPackage.wireformat !== 'mls_key_package') throw new Error('Others')
  const of = (text: string) => Uint8Array.from(Buffer.from(text, 'base64'))
  const keys = {
    initPrivateKey: of(WELCOME.initKey),
    hpkePrivateKey: of(WELCOME.leafKey),
    signaturePrivateKey: of(WELCOME.signatureKey),
  }
  const join = (own: typeof keys) =>
    joinGroup(welcome.welcome, keyPackage.keyPackage, own, emptyPskIndex, implementation)
  const { keySchedule, ratchetTree } = await join(keys)
  expect(ratchetTree.filter((node) => node?.nodeType === 'leaf')).toHaveLength(16)
  expect(keySchedule.epochAuthenticator).toEqual(of(WELCOME.authenticator))
  await expect(join({ ...keys, initPrivateKey: keys.hpkePrivateKey })).rejects.toThrow()
})
