import Calling
import Foundation
import Signaling
import TestSupport
import Testing

@testable import Media
@testable import Parley

/// What leaves the machine of somebody who is being called, seen by a capture of all packets.
@Suite(
    .serialized, .needs(PacketWatch.obstacle), .timeLimit(.minutes(5)))
struct RingingCaptureTests {
    /// Loopback addresses that nothing else uses: a packet to them needs no route.
    private static let addresses = ["127.77.0.9", "127.77.0.10", "127.77.0.11"]

    private static func candidates(hidden: String, name: String) -> [ICECandidate] {
        let lines = [
            "candidate:1 1 udp 2130706431 127.77.0.9 40001 typ host",
            "candidate:2 1 udp 1694498815 127.77.0.10 40002 typ srflx raddr 127.77.0.9 rport 40001",
            "candidate:3 1 udp 16777215 127.77.0.11 40003 typ relay raddr 0.0.0.0 rport 0",
            "candidate:4 1 udp 2130706430 \(hidden).local 40004 typ host",
            "candidate:5 1 udp 2130706429 \(name).example.org 40005 typ host",
        ]
        return lines.map { ICECandidate(candidate: $0, sdpMid: "0", sdpMLineIndex: 0) }
    }

    @Test func `nothing leaves for the peer before the person accepts`() async throws {
        try await Neighbourhood.with { neighbourhood in
            let pair = try await Pair(neighbourhood)
            let captures = Capture.live
            let watch = try PacketWatch()
            let hidden = UUID().uuidString.lowercased()
            let name = "callee-" + UUID().uuidString.lowercased()
            let candidates = Self.candidates(hidden: hidden, name: name)
            let (ann, bob) = try await pair.ring()
            // Everything that a hostile caller can send while it rings: candidates, an offer, an answer.
            let sdp = SessionDescription(kind: .offer, sdp: Self.offer(candidates))
            let messages: [CallMessage] = [
                .extra(ann.id, candidates),
                .offer(
                    ann.id,
                    CallOffer(
                        callType: CallType(media: .video, encryption: false), description: sdp, candidates: candidates,
                        publicKey: nil)),
                .answer(
                    ann.id,
                    CallAnswer(description: SessionDescription(kind: .answer, sdp: sdp.sdp), candidates: candidates)),
            ]
            let before = await pair.bob.center.rejections.total
            for message in messages { try await pair.ann.signaling.send(message, to: pair.contactBob.id) }
            try await waitUntil("Bob's side has seen them all") {
                await pair.bob.center.rejections.total >= before + 2
            }
            #expect(bob.state.phase == .ringingIn)
            #expect(watch.count > 0)
            for address in Self.addresses { #expect(watch.packets(to: address) == 0) }
            #expect(watch.packets(holding: hidden) == 0 && watch.packets(holding: name) == 0)
            #expect(Capture.live == captures)
            #expect(!bob.hasSession && PeerSession.live == 0)
            // The same candidates are used once the person has accepted, so the capture looks for the right thing: the hidden
            // address is asked for. The name that is no browser's never is.
            try await bob.accept(media: .video)
            try await waitUntil("a candidate is used", within: .seconds(60)) { watch.packets(holding: hidden) > 0 }
            #expect(watch.packets(holding: name) == 0)
            await bob.hangUp()
            watch.stop()
        }
    }

    /// A whole description of a browser's kind, with the candidates in it.
    private static func offer(_ candidates: [ICECandidate]) -> String {
        let fingerprint = (0..<32).map { _ in "AB" }.joined(separator: ":")
        var lines = ["v=0", "o=- 1 2 IN IP4 127.77.0.9", "s=-", "t=0 0", "a=group:BUNDLE 0 1 2 3"]
        for (mid, kind) in ["audio", "video", "audio", "video"].enumerated() {
            let codec = kind == "audio" ? ("111", "opus/48000/2") : ("96", "VP8/90000")
            lines += [
                "m=\(kind) 40001 UDP/TLS/RTP/SAVPF \(codec.0)", "c=IN IP4 127.77.0.9", "a=rtcp:40001 IN IP4 127.77.0.9",
                "a=mid:\(mid)", "a=ice-ufrag:abcd", "a=ice-pwd:abcdefghijklmnopqrstuvwx", "a=setup:actpass",
                "a=fingerprint:sha-256 \(fingerprint)", "a=rtcp-mux", "a=sendrecv", "a=rtpmap:\(codec.0) \(codec.1)",
            ]
            lines += candidates.map { "a=" + $0.candidate }
        }
        return lines.joined(separator: "\r\n") + "\r\n"
    }
}
