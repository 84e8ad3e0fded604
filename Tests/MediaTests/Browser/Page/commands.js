// Asks the test what to do, does it, and tells the outcome.
"use strict";

let peer = null;

// What went wrong in a handler, which nobody waits for: the test hears of it with the next command.
let failure = null;
window.addEventListener("error", ({ message }) => { failure ??= message; });

const commands = {
  async open({ key, colour, ...options }) {
    if (peer) peer.close();
    failure = null;
    sources.colours.camera = colour;
    peer = new BrowserPeer({ ...options, key: key ? Uint8Array.from(key) : null });
    return {};
  },
  offer: () => peer.offer(),
  answer: (call) => peer.answer(call),
  accept: async (call) => { await peer.accept(call); return {}; },
  add: async ({ candidates }) => { await peer.add(candidates); return {}; },
  look: () => peer.look(),
  async camera({ isOn }) { await peer.setCamera(isOn); return {}; },
  async microphone({ isOn }) { await peer.setTrack(0, isOn ? peer.microphone : null); return {}; },
  async screen({ colour }) {
    sources.colours.screen = colour ?? "black";
    await peer.setScreen(Boolean(colour));
    return {};
  },
  close() { if (peer) peer.close(); peer = null; return {}; },
};

async function serve() {
  sources.start();
  for (;;) {
    const response = await fetch("/next", { cache: "no-store" });
    if (response.status !== 200) continue;
    const { number, name, argument } = await response.json();
    let outcome;
    try {
      outcome = { number, result: await commands[name](argument) };
      if (failure) outcome = { number, error: `before ${name}: ${failure}` };
    } catch (error) {
      outcome = { number, error: `${name}: ${error}` };
    }
    await fetch("/reply", { method: "POST", body: JSON.stringify(outcome) });
  }
}

serve();
