// Loaded together.
export { SoundPlayer } from './sound-player.tsx'
export { VideoPlayer } from './video-player.tsx'
