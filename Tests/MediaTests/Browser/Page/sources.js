// What this peer sends: coloured pictures and a tone; and how it looks at what it gets.
"use strict";

const sources = {
  colours: { camera: "rgb(0,0,0)", screen: "rgb(0,0,0)" },

  start() {
    // At the rate of the sound system: Firefox 140 can't look at received sound at any other.
    this.audio = new AudioContext();
    const tone = this.audio.createOscillator();
    tone.frequency.value = 880;
    const volume = this.audio.createGain();
    volume.gain.value = 0.3;
    this.outlet = this.audio.createMediaStreamDestination();
    tone.connect(volume).connect(this.outlet);
    tone.start();
    let count = 0;
    setInterval(() => {
      count += 1;
      for (const name of ["camera", "screen"]) {
        const canvas = document.getElementById(name);
        const context = canvas.getContext("2d");
        context.fillStyle = this.colours[name];
        context.fillRect(0, 0, canvas.width, canvas.height);
        context.fillStyle = "white";
        context.fillRect((count * 4) % canvas.width, 10, 12, 12);
      }
    }, 50);
  },

  picture(name) { return document.getElementById(name).captureStream(20).getVideoTracks()[0]; },
  sound() { return this.outlet.stream.getAudioTracks()[0].clone(); },
};

// The mean colour of what a video element shows.
function meanColour(video) {
  if (!video || video.readyState < 2 || !video.videoWidth) return null;
  const canvas = new OffscreenCanvas(32, 24);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(video, 0, 0, 32, 24);
  const pixels = context.getImageData(0, 0, 32, 24).data;
  const sums = [0, 0, 0];
  for (let index = 0; index < pixels.length; index += 4) {
    for (let channel = 0; channel < 3; channel += 1) sums[channel] += pixels[index + channel];
  }
  return sums.map((sum) => Math.round(sum / (pixels.length / 4)));
}

// Level and strongest frequency of a stream's sound.
class SoundMeter {
  constructor(context, stream) {
    this.context = context;
    this.analyser = context.createAnalyser();
    this.analyser.fftSize = 4096;
    this.input = context.createMediaStreamSource(stream);
    this.input.connect(this.analyser);
  }

  read() {
    const samples = new Float32Array(this.analyser.fftSize);
    this.analyser.getFloatTimeDomainData(samples);
    const level = Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);
    const bins = new Float32Array(this.analyser.frequencyBinCount);
    this.analyser.getFloatFrequencyData(bins);
    const strongest = bins.indexOf(Math.max(...bins));
    return { level, frequency: strongest * this.context.sampleRate / this.analyser.fftSize };
  }

  stop() { this.input.disconnect(); }
}
