// Frame encryption as the calls fact sheet §7 has it: clear prefix, AES-256-GCM ciphertext, tag (16), random IV (12, last).
// Used in a worker (script transform) and in the page (encoded streams).
"use strict";

function clearPrefix(kind, frame) {
  if (kind === "audio") return 1;
  return frame.type === "key" ? 10 : 3;
}

// A function for TransformStream; `report` is called with the operation and whether it worked, for each frame.
async function makeFrameTransform(operation, kind, keyBytes, report) {
  const key = await crypto.subtle.importKey("raw", keyBytes, "AES-GCM", false, ["encrypt", "decrypt"]);
  async function encrypt(frame) {
    const data = new Uint8Array(frame.data);
    const prefix = clearPrefix(kind, frame);
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const sealed = data.length > prefix
      ? new Uint8Array(await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, data.subarray(prefix)))
      : new Uint8Array(0);
    return [data.subarray(0, prefix), sealed, iv];
  }
  async function decrypt(frame) {
    const data = new Uint8Array(frame.data);
    const prefix = clearPrefix(kind, frame);
    const iv = data.slice(data.length - 12);
    const sealed = data.subarray(prefix, data.length - 12);
    const plain = sealed.length > 0
      ? new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, sealed))
      : new Uint8Array(0);
    return [data.subarray(0, prefix), plain];
  }
  return async (frame, controller) => {
    try {
      const parts = await (operation === "encrypt" ? encrypt(frame) : decrypt(frame));
      const result = new Uint8Array(parts.reduce((count, part) => count + part.length, 0));
      let offset = 0;
      for (const part of parts) {
        result.set(part, offset);
        offset += part.length;
      }
      frame.data = result.buffer;
      controller.enqueue(frame);
      report(operation, true);
    } catch (error) {
      report(operation, false);
    }
  };
}
