import { expect, test } from 'bun:test'
import { mlsExporter } from 'ts-mls'
import { refhash } from 'ts-mls/crypto/hash.js'
import { decryptWithLabel } from 'ts-mls/crypto/hpke.js'
import { deriveSecret, deriveTreeSecret, expandWithLabel } from 'ts-mls/crypto/kdf.js'
import { signWithLabel, verifyWithLabel } from 'ts-mls/crypto/signature.js'
import { initializeEpoch } from 'ts-mls/keySchedule.js'
import { suite } from '../../../../src/web/voice/sealing/mls.ts'

// Published test vectors of RFC 9420 for the cipher suite of calls: crypto-basics.json and key-schedule.json of the MLS
// working group, https://github.com/mlswg/mls-implementations/tree/main/test-vectors.

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

test('the secrets of an epoch, from which calls take theirs, are those of the published vectors', async () => {
  const { kdf, hash } = await suite()
  const { keySchedule } = await initializeEpoch(
    bytes('9344d74b4a874edd48ab8d6d7ffae6c098b104d0748f0bbeeb9b24f5e29d28b9'),
    bytes('715e27cef059d8482d3d39ddb6bede39caedaddf41446d3ba515b95f85252703'),
    {
      version: 'mls10',
      cipherSuite: 'MLS_128_DHKEMX25519_AES128GCM_SHA256_Ed25519',
      groupId: bytes('ee415c0b5adda6d9d81706cffb733a35'),
      epoch: 0n,
      treeHash: bytes('c5fa9927ff000150c49ac028a6be55a6fa4e80d4b6ef561767c6ff12e306967b'),
      confirmedTranscriptHash: bytes('39cb042542c9ed52307554bf77d8e704f9f1d882e9cce03b95f1b9e96f1968e2'),
      extensions: [],
    },
    bytes('9a1408e6816accaa928e4081121aa076f7e6aa7fee78e91e0b76b98c786f9b4f'),
    kdf,
  )
  expect(hex(keySchedule.exporterSecret)).toBe('f103b0240ba06e398031575a9b9087c677277765d626aa3dd5b7eafd35a6a47b')
  expect(hex(keySchedule.epochAuthenticator)).toBe('74c3e7b084da632eb40c304db7686446ad385df82cc85ec16e22253e9b3076a0')
  expect(hex(keySchedule.initSecret)).toBe('6c890af57d11b034c5d8ceb941ef417fc3f09b57b3003ea22710b7267e8094a4')
  // RFC 9420 §8.5. The published vector is of an earlier draft, which had another label.
  const { exporterSecret } = keySchedule
  const context = new TextEncoder().encode('exporter context')
  const secret = await deriveSecret(exporterSecret, 'exporter label', kdf)
  const expected = await expandWithLabel(secret, 'exported', await hash.digest(context), 32, kdf)
  expect(await mlsExporter(exporterSecret, 'exporter label', context, 32, await suite())).toEqual(expected)
})
