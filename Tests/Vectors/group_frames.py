#!/usr/bin/env python3
"""Makes group_frames.json: sealed frames of group calls, by pyca/cryptography and not by Parley's own code.

Usage: python3 Tests/Vectors/group_frames.py >Tests/Vectors/group_frames.json
"""

import json
import struct

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

SOUND, HIGH, LOW, SCREEN, SCREEN_SOUND = range(5)


def derive(secret, call, info, length):
    return HKDF(algorithm=hashes.SHA256(), length=length, salt=call, info=info).derive(secret)


def next_step(secret, call):
    return derive(secret, call, b"parley group step 1", 32)


def seal(secret, call, member, epoch, step, stream, counter, frame):
    for _ in range(step):
        secret = next_step(secret, call)
    material = derive(secret, call, b"parley group frame 1" + bytes([member, epoch, step]), 44)
    key, salt = material[:32], material[32:]
    clear = 1 if stream in (SOUND, SCREEN_SOUND) else 3 if frame[0] & 1 else 10
    trailer = struct.pack(">IBBBB", counter, epoch, step, stream, member)
    number = (stream << 32 | counter).to_bytes(12, "big")
    nonce = bytes(a ^ b for a, b in zip(salt, number))
    sealed = AESGCM(key).encrypt(nonce, frame[clear:], frame[:clear] + trailer)
    return frame[:clear] + sealed + trailer


call = bytes(range(0x10, 0x20))
secret = bytes(range(32))
frames = []
for member, epoch, step, stream, counter, frame in [
    (1, 0, 0, SOUND, 0, bytes(range(0x64, 0x74))),
    (1, 0, 0, SOUND, 1, b"\x78"),
    (7, 2, 0, HIGH, 0xFFFFFFFF, b"\x10\x02\x00\x9d\x01\x2a\x40\x01\xf0\x00" + bytes(range(40))),
    (7, 2, 0, HIGH, 258, b"\x11\x02\x00" + bytes(range(20))),
    (7, 2, 3, LOW, 0x01020304, b"\x11\x02\x00" + bytes(range(20))),
    (255, 255, 16, SCREEN, 9, b"\x30\x02\x00\x9d\x01\x2a\x40\x01\xf0\x00"),
    (255, 255, 1, SCREEN_SOUND, 77, bytes(range(3))),
]:
    frames.append(
        {
            "member": member, "epoch": epoch, "step": step, "stream": stream, "counter": counter, "frame": frame.hex(),
            "sealed": seal(secret, call, member, epoch, step, stream, counter, frame).hex(),
        }
    )
print(
    json.dumps(
        {
            "call": call.hex(), "secret": secret.hex(), "first_step": next_step(secret, call).hex(), "frames": frames,
            "hkdf_sha256": {
                # RFC 5869, A.1 to A.3.
                "cases": [
                    {
                        "ikm": (b"\x0b" * 22).hex(), "salt": bytes(range(13)).hex(), "info": bytes(range(0xF0, 0xFA)).hex(),
                        "out": "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
                    },
                    {
                        "ikm": bytes(range(0x50)).hex(), "salt": bytes(range(0x60, 0xB0)).hex(),
                        "info": bytes(range(0xB0, 0x100)).hex(),
                        "out": "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
                    },
                    {
                        "ikm": (b"\x0b" * 22).hex(), "salt": "", "info": "",
                        "out": "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
                    },
                ]
            },
        }
    )
)
