"use strict";
importScripts("frames.js");

onrtctransform = async (event) => {
  const { operation, kind, key } = event.transformer.options;
  const transform = await makeFrameTransform(operation, kind, key, (operation, isGood) => postMessage({ operation, isGood }));
  event.transformer.readable.pipeThrough(new TransformStream({ transform })).pipeTo(event.transformer.writable);
};
