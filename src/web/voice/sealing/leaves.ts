import type { Credential, KeyPackage, RatchetTree } from 'ts-mls'
import type { DeviceProof, Leaf, Member } from './members.ts'

const IDENTITY = /^(\d{1,15}) ([0-9a-f]{32}) $/
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** The credential of a member's leaf. */
export const credentialOf = ({ user_id, voice_session_id }: Member, { key, signature }: DeviceProof): Credential => ({
  credentialType: 'basic',
  identity: new Uint8Array([...new TextEncoder().encode(`${user_id} ${voice_session_id} `), ...key, ...signature]),
})

/** @throws Error if the credential is not one of a call */
export function leafOf(node: Pick<KeyPackage['leafNode'], 'credential' | 'signaturePublicKey'>, index = -1): Leaf {
  const { credential, signaturePublicKey: signatureKey } = node
  const identity = credential.credentialType === 'basic' ? credential.identity : new Uint8Array()
  const textBytes = Math.max(0, identity.length - KEY_BYTES - SIGNATURE_BYTES)
  const [, user_id, voice_session_id] = IDENTITY.exec(new TextDecoder().decode(identity.subarray(0, textBytes))) ?? []
  if (voice_session_id === undefined) throw new Error('A credential is not one of a call')
  const key = identity.slice(textBytes, textBytes + KEY_BYTES)
  const signature = identity.slice(textBytes + KEY_BYTES)
  return { user_id: Number(user_id), voice_session_id, index, signatureKey, proof: { key, signature } }
}

/**
 * The leaves of a group by voice session.
 * @throws Error if one is not a member of a call, or two are the same member
 */
export function leavesIn(tree: RatchetTree): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>()
  for (const [at, node] of tree.entries()) {
    if (node?.nodeType !== 'leaf') continue
    // RFC 9420 appendix C: leaves have the even numbers.
    const leaf = leafOf(node.leaf, at / 2)
    if (leaves.has(leaf.voice_session_id)) throw new Error('A member has two leaves')
    leaves.set(leaf.voice_session_id, leaf)
  }
  return leaves
}
