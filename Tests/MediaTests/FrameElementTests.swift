import BaseKit
import CGStreamer
import Cryptography
import GLibKit
import Testing

@testable import Media
@testable import MediaRules

extension RealMedia {
    @Suite struct FrameElementTests {
        static let key = SecretBytes([UInt8](repeating: 3, count: 32))

        /// Runs 30 pictures through encoder, encryption, payloader, depayloader, decryption and decoder.
        private func run(
            sender: FrameEncryption, receiver: FrameEncryption, isOpen: Bool = true,
            damage: (@Sendable (UnsafeMutablePointer<GstBuffer>) -> Void)? = nil
        ) async throws -> (decoded: Int, counters: MediaCounters) {
            try MediaRuntime.start()
            let (ended, decoded, counters) = (Shared(false), Shared(0), MediaCounters())
            let pipeline = try Pipeline { message in
                if case .endOfStream = message { ended.value = true }
            }
            let chain = try Element.bin(
                """
                videotestsrc num-buffers=30 ! video/x-raw,width=320,height=240 ! vp8enc deadline=1 keyframe-max-dist=5 ! \
                parleyframeencrypt name=encrypt ! parleyvp8pay mtu=600 ! rtpvp8depay ! identity name=wire ! \
                parleyframedecrypt name=decrypt ! vp8dec name=decoder ! fakesink sync=false
                """)
            let (sending, receiving) = (FrameProtection(sender), FrameProtection(receiver))
            sending.open()
            if isOpen { receiving.open() }
            FrameEncryptElement.gclass.peer(of: try chain.child("encrypt")).configure(
                slot: .camera, protection: sending, counters: counters)
            FrameDecryptElement.gclass.peer(of: try chain.child("decrypt")).configure(
                kind: .video, protection: receiving, counters: counters)
            if let damage { try chain.child("wire").pad("sink")?.onBuffer { _, buffer in damage(buffer) } }
            try chain.child("decoder").pad("src")?.onBuffer { _, _ in decoded.value += 1 }
            pipeline.element.add(chain)
            pipeline.element.setState(GST_STATE_PLAYING)
            try await eventually { ended.value }
            await MediaQueue.run { pipeline.close() }
            return (decoded.value, counters)
        }

        @Test func `encrypted frames pass payloader and depayloader and are decoded`() async throws {
            let result = try await run(sender: .aes256GCM(Self.key), receiver: .aes256GCM(Self.key))
            #expect(result.decoded == 30)
            #expect(result.counters.sent.videoFrames == 30)
            #expect(result.counters.received.framesRejected == 0)
        }

        @Test func `frames pass unchanged where no encryption was agreed`() async throws {
            #expect(try await run(sender: .none, receiver: .none).decoded == 30)
        }

        @Test func `a flipped bit drops its frame, and decoding goes on with the next key frame`() async throws {
            let seen = Shared(0)
            let result = try await run(sender: .aes256GCM(Self.key), receiver: .aes256GCM(Self.key)) { buffer in
                seen.value += 1
                guard seen.value == 7 else { return }
                var byte: UInt8 = 0
                gst_buffer_extract(buffer, 20, &byte, 1)
                byte ^= 1
                gst_buffer_fill(buffer, 20, &byte, 1)
            }
            #expect(result.counters.received.framesRejected == 1)
            #expect((20...29).contains(result.decoded))
        }

        @Test func `nothing passes with another key, without one, or before the gate is open`() async throws {
            let other = SecretBytes([UInt8](repeating: 4, count: 32))
            let wrong = try await run(sender: .aes256GCM(Self.key), receiver: .aes256GCM(other))
            #expect(wrong.decoded == 0 && wrong.counters.received.framesRejected == 30)
            #expect(try await run(sender: .aes256GCM(Self.key), receiver: .undecided).decoded == 0)
            #expect(try await run(sender: .undecided, receiver: .none).counters.sent.videoFrames == 0)
            #expect(try await run(sender: .none, receiver: .none, isOpen: false).decoded == 0)
        }
    }
}
