/** Soft sounds, made on the spot: a few sine tones like small bells over water. No files. */
import { preferences } from "./preferences.svelte";

type Tone = [frequency: number, start: number, length: number, volume: number];

const SOUNDS = {
  turn: [[587, 0, 0.7, 0.09], [880, 0.12, 0.9, 0.07]],
  move: [[392, 0, 0.25, 0.06]],
  chat: [[784, 0, 0.2, 0.04], [988, 0.07, 0.25, 0.03]],
  refused: [[220, 0, 0.3, 0.06]],
  end: [[523, 0, 1, 0.07], [659, 0.15, 1, 0.07], [784, 0.3, 1.2, 0.07], [1047, 0.45, 1.8, 0.06]],
} as const satisfies Record<string, readonly Tone[]>; // prettier-ignore

const FRAME_MS = 17;

export type SoundName = keyof typeof SOUNDS;

let context: AudioContext | null = null;

export function play(name: SoundName): void {
  if (!preferences.sound || !navigator.userActivation?.hasBeenActive) return; // browsers stay silent until the first touch
  setTimeout(() => ringAll(SOUNDS[name]), FRAME_MS); // what is seen comes first: to open the device takes longer than a frame
}

function ringAll(tones: readonly Tone[]): void {
  context ??= new AudioContext();
  for (const [frequency, start, length, volume] of tones)
    ring(context, frequency, context.currentTime + start, length, volume);
}

function ring(audio: AudioContext, frequency: number, at: number, length: number, volume: number): void {
  const tone = new OscillatorNode(audio, { frequency });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.linearRampToValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}
