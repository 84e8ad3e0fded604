import CGStreamer
import Cryptography
import Foundation
import GLibKit
import Synchronization
import TestSupport
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    /// What a server holds of a call: the bytes that it forwards, and what it was told.
    @Suite(.needs(Room.obstacle)) struct ForwardedFramesTests {
        @Test func `what a server forwards a member's key opens, and nothing of all that the server was told`()
            async throws
        {
            try await Room.use(2, overhears: true) { room, mesh in
                for member in [UInt8(1), 2] { try await room.enter(member, of: mesh) }
                try await Room.waitForMedia(mesh, among: [1, 2])
                let tap = try await FrameTap(mesh[2], of: 1)
                var frames: [[UInt8]] = []
                for kind in [FrameKind.audio, .video] {
                    try await eventually { tap.frame(of: kind) != nil }
                    frames.append(try #require(tap.frame(of: kind)))
                }

                let told = try await room.told.map { $0.replacing("\\/", with: "/") }
                let said = told.joined(separator: "\n")
                // All of it: making the room, entering it, both descriptions of each connection.
                for word in ["\"create\"", "\"join\"", "\"configure\"", "\"start\"", "fingerprint", "ice-pwd"] {
                    #expect(said.contains(word), "\(word)")
                }
                #expect(said.contains(try #require(room.pin)))

                let keys = try [UInt8(1), 2].map { try Mesh.key(epoch: 0, of: $0) }
                for secret in keys.map(\.secret) + [Room.key] {
                    for text in Guesses.spellings(of: secret.bytes) { #expect(!said.contains(text)) }
                }
                let guesses = Guesses.secrets(from: told)
                #expect(guesses.count > 1_000)
                for frame in frames {
                    #expect(Self.opens(frame, keys[0].secret.bytes))
                    #expect(!guesses.contains { Self.opens(frame, $0) })
                }
            }
        }

        /// Whether a frame of the first member opens with a key of this secret; the call's identifier, which no server is told, is known.
        private static func opens(_ frame: [UInt8], _ secret: [UInt8]) -> Bool {
            frame.withUnsafeBytes { frame in
                guard let trailer = try? GroupFrameTrailer(endOf: frame),
                    let key = try? GroupFrameKey(
                        epoch: trailer.epoch, step: trailer.step, secret: SecretBytes(secret)),
                    let cipher = try? GroupFrameCipher(key, member: 1, call: Mesh.call)
                else { return false }
                return withUnsafeTemporaryAllocation(
                    byteCount: frame.count - GroupFrameCipher.overhead, alignment: 1
                ) { place in
                    (try? cipher.open(frame, trailer, into: place)) != nil
                }
            }
        }
    }
}

/// The newest sealed frames that come of a member by a room, as the server has forwarded them.
private final class FrameTap: Sendable {
    private let frames = Mutex<[FrameKind: [UInt8]]>([:])

    init(_ session: GroupSession, of member: UInt8) async throws {
        let elements = await session.decryptors(of: member)
        for element in elements {
            guard let pad = element.pad("sink") else { continue }
            pad.onBuffer { [weak self] pad, buffer in self?.note(pad, buffer) }
        }
    }

    func frame(of kind: FrameKind) -> [UInt8]? { frames.withLock { $0[kind] } }

    private func note(_ pad: UnsafeMutablePointer<GstPad>, _ buffer: UnsafeMutablePointer<GstBuffer>) {
        var map = GstMapInfo()
        guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else { return }
        let bytes = Array(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
        gst_buffer_unmap(buffer, &map)
        guard let trailer = try? bytes.withUnsafeBytes({ try GroupFrameTrailer(endOf: $0) }) else { return }
        frames.withLock { $0[trailer.stream.kind] = bytes }
    }
}

extension GroupSession {
    /// What opens the frames that come of a member by the room.
    fileprivate func decryptors(of member: UInt8) -> [Element] {
        room?.paths(of: member).flatMap { $0.transport.pipeline.element.all(madeBy: "parleyframedecrypt") } ?? []
    }
}

/// Secrets that can be made of what a server was told.
private enum Guesses {
    private static let count = 32

    /// How bytes stand in texts.
    static func spellings(of bytes: [UInt8]) -> [String] {
        [
            Base64URL.encode(bytes, padded: false), Data(bytes).base64EncodedString(), bytes.hexadecimal,
            bytes.hexadecimal.uppercased(),
        ]
    }

    /// All pieces of the texts that are as long as a secret, the same of what stands in them as base64 or hexadecimal digits, and the
    /// hash of each word.
    static func secrets(from texts: [String]) -> Set<[UInt8]> {
        var secrets: Set<[UInt8]> = []
        for text in Set(texts) {
            secrets.formUnion(pieces(of: Array(text.utf8)))
            let words = text.split { !($0.isLetter || $0.isNumber || "+/-_=.".contains($0)) }
            for word in Set(words) {
                secrets.insert(Digest.sha256(Array(word.utf8)))
                for bytes in readings(of: String(word)) { secrets.formUnion(pieces(of: bytes)) }
            }
        }
        return secrets
    }

    private static func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        guard bytes.count > count else { return [bytes + [UInt8](repeating: 0, count: count - bytes.count)] }
        return (0...bytes.count - count).map { Array(bytes[$0..<$0 + count]) }
    }

    private static func readings(of word: String) -> [[UInt8]] {
        let plain = word.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        let padded = plain + String(repeating: "=", count: (4 - plain.count % 4) % 4)
        let digits = word.compactMap(\.hexDigitValue).map(UInt8.init)
        let pairs = stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        return [Data(base64Encoded: padded).map { [UInt8]($0) } ?? [], pairs].filter { !$0.isEmpty }
    }
}
