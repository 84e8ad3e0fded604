// One call of a browser peer that behaves as the calls fact sheet §5 to §8 says of the deployed web client: four
// transceivers (microphone, camera, screen sound, screen), VP8 first, one negotiation, frames encrypted in transforms,
// the other side's mute and camera off recognised by bytes that stop.
"use strict";

class BrowserPeer {
  // options: key (bytes or null), form ("worker" or "page"), isOlder (two m-lines), hasVideo (from the start), hidesAddresses
  constructor(options) {
    this.options = options;
    this.counts = { encrypted: 0, decrypted: 0, failed: 0 };
    this.candidates = [];
    this.waiting = [];
    this.media = {};
    this.mains = new MediaStream();
    this.screens = new MediaStream();
    const configuration = { iceCandidatePoolSize: 10 };
    // Chromium needs it for a sender's script transform too: without, frames would go round the transform, in clear.
    if (options.key) configuration.encodedInsertableStreams = true;
    this.connection = new RTCPeerConnection(configuration);
    this.connection.onicecandidate = ({ candidate }) => {
      if (candidate && candidate.candidate) this.candidates.push(this.describe(candidate));
    };
    this.connection.ontrack = ({ transceiver, track }) => this.received(transceiver, track);
    if (options.key && options.form === "worker") {
      this.worker = new Worker("worker.js");
      this.worker.onmessage = ({ data }) => this.count(data.operation, data.isGood);
    }
    this.camera = sources.picture("camera");
    this.microphone = sources.sound();
    this.timer = setInterval(() => this.detect(), 1000);
  }

  // Signaling

  async offer() {
    if (this.options.isOlder) {
      this.addOwnTracks();
    } else {
      const streams = [new MediaStream(), new MediaStream()];
      for (const [index, kind] of ["audio", "video", "audio", "video"].entries()) {
        this.connection.addTransceiver(kind, { direction: "sendrecv", streams: [streams[index >> 1]] });
      }
      await this.placeOwnTracks();
    }
    this.preferVP8();
    await this.connection.setLocalDescription(await this.connection.createOffer());
    await this.protectSenders();
    return this.description();
  }

  async answer({ sdp, candidates }) {
    this.peerIsOlder = (sdp.match(/^m=/gm) || []).length <= 2;
    if (this.options.isOlder) this.addOwnTracks();
    await this.connection.setRemoteDescription({ type: "offer", sdp });
    if (!this.options.isOlder) {
      for (const transceiver of this.connection.getTransceivers()) transceiver.direction = "sendrecv";
      await this.placeOwnTracks();
    }
    await this.protectSenders();
    this.preferVP8();
    await this.connection.setLocalDescription(await this.connection.createAnswer());
    await this.add(candidates);
    return this.description();
  }

  async accept({ sdp, candidates }) {
    await this.connection.setRemoteDescription({ type: "answer", sdp });
    const third = this.connection.getTransceivers()[2];
    this.peerIsOlder = third !== undefined && third.currentDirection === "sendonly";
    await this.add(candidates);
  }

  async add(candidates) {
    for (const candidate of candidates) await this.connection.addIceCandidate(candidate);
  }

  async description() {
    const { sdp } = this.connection.localDescription;
    const end = performance.now() + 750;
    while (this.connection.iceGatheringState !== "complete" && performance.now() < end) {
      await new Promise((resume) => setTimeout(resume, 20));
    }
    return { sdp, candidates: this.takeCandidates() };
  }

  takeCandidates() { return this.candidates.splice(0); }

  describe({ candidate, sdpMid, sdpMLineIndex }) {
    const fields = candidate.split(" ");
    if (this.options.hidesAddresses) fields[4] = "b7a1b0e4-8d5c-4f0e-9f5e-0c6a3d1e2f90.local";
    return { candidate: fields.join(" "), sdpMid, sdpMLineIndex };
  }

  // Own media

  addOwnTracks() {
    const stream = new MediaStream(this.options.hasVideo ? [this.microphone, this.camera] : [this.microphone]);
    for (const track of stream.getTracks()) this.connection.addTrack(track, stream);
  }

  async placeOwnTracks() {
    const [microphone, camera] = this.connection.getTransceivers();
    await microphone.sender.replaceTrack(this.microphone);
    if (camera && this.options.hasVideo) await camera.sender.replaceTrack(this.camera);
  }

  preferVP8() {
    const codecs = RTCRtpReceiver.getCapabilities("video").codecs;
    const isVP8 = (codec) => codec.mimeType === "video/VP8";
    const ordered = [...codecs.filter(isVP8), ...codecs.filter((codec) => !isVP8(codec))];
    for (const transceiver of this.connection.getTransceivers()) {
      if (transceiver.receiver.track.kind === "video") transceiver.setCodecPreferences(ordered);
    }
  }

  async setTrack(index, track) { await this.connection.getTransceivers()[index].sender.replaceTrack(track); }

  // Off closes the camera.
  async setCamera(isOn) {
    if (isOn) this.camera = sources.picture("camera");
    else this.camera.stop();
    await this.setTrack(1, isOn ? this.camera : null);
  }

  // An older peer shows its screen in the camera's place.
  async setScreen(isOn) {
    if (isOn) this.screen = sources.picture("screen");
    else this.screen.stop();
    await this.setTrack(this.options.isOlder ? 1 : 3, isOn ? this.screen : null);
  }

  // Frame encryption

  async protectSenders() {
    for (const { sender, receiver } of this.connection.getTransceivers()) {
      await this.protect(sender, "encrypt", receiver.track.kind);
    }
  }

  async protect(end, operation, kind) {
    const { key, form } = this.options;
    if (!key) return;
    if (form === "worker") {
      end.transform = new RTCRtpScriptTransform(this.worker, { operation, kind, key });
      return;
    }
    const { readable, writable } = end.createEncodedStreams();
    const transform = makeFrameTransform(operation, kind, key, (operation, isGood) => this.count(operation, isGood));
    const stream = new TransformStream({ transform: async (...call) => (await transform)(...call) });
    readable.pipeThrough(stream).pipeTo(writable);
  }

  count(operation, isGood) {
    if (!isGood) this.counts.failed += 1;
    else if (operation === "encrypt") this.counts.encrypted += 1;
    else this.counts.decrypted += 1;
  }

  // The other side's media

  received(transceiver, track) {
    this.protect(transceiver.receiver, "decrypt", track.kind);
    const isMain = this.connection.getTransceivers().indexOf(transceiver) < 2;
    const stream = isMain ? this.mains : this.screens;
    stream.addTrack(track);
    const video = document.getElementById(isMain ? "main" : "shared");
    video.srcObject = stream;
    video.play().catch(() => {});
    if (track.kind !== "audio") return;
    const meter = new SoundMeter(sources.audio, new MediaStream([track]));
    if (isMain) this.meter = meter;
    else this.screenMeter = meter;
  }

  async detect() {
    for (const report of (await this.connection.getStats()).values()) {
      if (report.type !== "inbound-rtp") continue;
      const name = report.mid ?? report.trackIdentifier ?? report.id;
      const source = (this.media[name] ??= { bytes: 0, silence: 4, kind: report.kind });
      source.index = this.connection.getTransceivers().findIndex(
        ({ mid, receiver }) => mid === report.mid || receiver.track.id === report.trackIdentifier);
      source.silence = report.bytesReceived > source.bytes ? 0 : source.silence + 1;
      source.bytes = report.bytesReceived;
    }
  }

  // What we are asked to send sound like, and how many pictures of the camera have been decoded.
  async measure() {
    const reports = await this.connection.getStats();
    const all = [...reports.values()];
    const sound = all.find(({ type, kind, codecId }) => type === "outbound-rtp" && kind === "audio" && codecId);
    const mid = this.connection.getTransceivers()[1]?.mid;
    const picture = all.find((report) => report.type === "inbound-rtp" && report.kind === "video" && report.mid === mid);
    return { soundFormat: reports.get(sound?.codecId)?.sdpFmtpLine ?? "", pictures: picture?.framesDecoded ?? 0 };
  }

  isOn(kind, isScreen = false) {
    return Object.values(this.media).some((source) =>
      source.kind === kind && source.silence < 3 && (source.index > 1) === isScreen);
  }

  async look() {
    const silence = { level: 0, frequency: 0 };
    const screenSound = this.screenMeter ? this.screenMeter.read() : silence;
    const screen = this.isOn("video", true);
    const sound = this.meter ? this.meter.read() : silence;
    return {
      state: this.connection.connectionState,
      channel: this.connection.getReceivers()[0]?.transport?.state ?? "none",
      directions: this.connection.getTransceivers().map((transceiver) => transceiver.currentDirection ?? "none"),
      peerIsOlder: this.peerIsOlder ?? false,
      colour: meanColour(document.getElementById("main")),
      level: sound.level,
      frequency: sound.frequency,
      microphone: this.isOn("audio"),
      camera: this.isOn("video"),
      screen,
      screenColour: screen ? meanColour(document.getElementById("shared")) : null,
      screenLevel: screenSound.level,
      screenFrequency: screenSound.frequency,
      counts: this.counts,
      ...(await this.measure()),
      candidates: this.takeCandidates(),
    };
  }

  close() {
    clearInterval(this.timer);
    this.connection.close();
    this.camera.stop();
    this.microphone.stop();
    if (this.screen) this.screen.stop();
    if (this.meter) this.meter.stop();
    if (this.screenMeter) this.screenMeter.stop();
    if (this.worker) this.worker.terminate();
    for (const name of ["main", "shared"]) document.getElementById(name).srcObject = null;
  }
}
