import { state } from "./state.ts";

let audio: AudioContext | undefined;

function tone(frequency: number, seconds: number, volume: number): void {
  if (!state.settings.sound) return;
  audio ??= new AudioContext();
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, audio.currentTime);
  gain.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + seconds);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start();
  oscillator.stop(audio.currentTime + seconds);
}

/** A card falls. */
export function click(): void {
  tone(220, 0.06, 0.15);
}

/** It is the player's turn. */
export function chime(): void {
  tone(660, 0.35, 0.12);
}
