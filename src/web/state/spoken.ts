import type { Channel } from '../../features/access/model.ts'

/** True for a voice channel or a stage. */
export const isSpoken = ({ type }: Pick<Channel, 'type'>): boolean => type === 'voice' || type === 'stage'
