import type { Credential, KeyPackage, RatchetTree } from 'ts-mls'

/** The member that a leaf of the group stands for. */
export interface Member {
  voice_session_id: string
  user_id: number
}

/** A leaf of the group. */
export interface Leaf extends Member {
  index: number
  signatureKey: Uint8Array
}

const IDENTITY = /^(\d{1,15}) ([0-9a-f]{32})$/

/** The credential of a member's leaf. */
export const credentialOf = ({ user_id, voice_session_id }: Member): Credential => ({
  credentialType: 'basic',
  identity: new TextEncoder().encode(`${user_id} ${voice_session_id}`),
})

/** @throws Error if the credential is not one of a call */
export function memberIn({ credential }: Pick<KeyPackage['leafNode'], 'credential'>): Member {
  const identity = credential.credentialType === 'basic' ? new TextDecoder().decode(credential.identity) : ''
  const [, user_id, voice_session_id] = IDENTITY.exec(identity) ?? []
  if (voice_session_id === undefined) throw new Error('A credential is not one of a call')
  return { user_id: Number(user_id), voice_session_id }
}

/**
 * The leaves of a group by voice session.
 * @throws Error if one is not a member of a call, or two are the same member
 */
export function leavesIn(tree: RatchetTree): Map<string, Leaf> {
  const leaves = new Map<string, Leaf>()
  for (const [at, node] of tree.entries()) {
    if (node?.nodeType !== 'leaf') continue
    const member = memberIn(node.leaf)
    if (leaves.has(member.voice_session_id)) throw new Error('A member has two leaves')
    // RFC 9420 appendix C: leaves have the even numbers.
    leaves.set(member.voice_session_id, { ...member, index: at / 2, signatureKey: node.leaf.signaturePublicKey })
  }
  return leaves
}
