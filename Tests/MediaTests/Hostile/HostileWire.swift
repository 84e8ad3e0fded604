import BaseKit
import CGStreamer
import Cryptography
import GLibKit
import Glibc
import Synchronization
import TestSupport

@testable import Media
@testable import MediaRules

/// A call whose offerer has set up everything honestly, and a place behind the decryption of the answerer's end, where any
/// packet may be put that a peer could have sent.
///
/// Unchecked: pads lock themselves, and the rest is used by one test.
final class HostileWire: @unchecked Sendable {
    let call: Loopback
    /// What the offer announced, by m-line.
    let sources: [UInt32]
    /// What the victim's answer announced, by m-line.
    let victimSources: [UInt32]
    let cipher: FrameCipher
    /// The call's key; nil for a call without frame encryption.
    let key: SecretBytes?
    /// The payload type of tones, if both take them.
    let toneType: UInt8?
    private let rtp: Pad
    private let rtcp: Pad
    private let victimCandidates: [MediaCandidate]
    private let keyFrames = Shared(0)
    private let pipeline: Element

    var victim: PeerSession { call.answerer }
    /// Key frames that the victim has made.
    var victimKeyFrames: Int { keyFrames.value }

    /// Sets up a call with pictures and sound both ways.
    init(isSealed: Bool = true, hasTones: Bool = false) async throws {
        let someKey = SecretBytes([UInt8](repeating: 7, count: 32))
        key = isSealed ? someKey : nil
        call = try await Loopback(key: key) { offerer, answerer in
            (offerer.offersTones, answerer.offersTones) = (hasTones, hasTones)
        }
        cipher = try FrameCipher(key: someKey)
        let offer = try await call.offerer.makeOffer()
        let answer = try await call.answerer.makeAnswer(to: offer.sdp, candidates: offer.candidates)
        try await call.offerer.apply(answer: answer.sdp, candidates: answer.candidates)
        toneType = ToneFormat.payloadType(in: try SessionDescription(parsing: answer.sdp)).map { UInt8($0) }
        sources = try Self.sources(of: offer.sdp)
        victimSources = try Self.sources(of: answer.sdp)
        victimCandidates = answer.candidates
        try await call.waitForPictures()
        pipeline = await call.answerer.pipeline.element
        let decryption = pipeline.all(madeBy: "srtpdec")
        guard let found = decryption.first(where: { $0.pad("rtp_src")?.isInUse == true }),
            let rtp = found.pad("rtp_src"), let rtcp = found.pad("rtcp_src")
        else { throw Overdue("The victim has no decryption.") }
        (self.rtp, self.rtcp) = (rtp, rtcp)
        let chain = await call.answerer.senders[.camera]?.element
        try chain?.child("protect").pad("src")?.onBuffer { [keyFrames] _, buffer in
            if buffer.pointee.mini_object.flags & GST_BUFFER_FLAG_DELTA_UNIT.rawValue == 0 { keyFrames.value += 1 }
        }
    }

    private static func sources(of sdp: String) throws -> [UInt32] {
        try SessionDescription(parsing: sdp).media.map { medium in
            medium["ssrc"].flatMap { UInt32($0.prefix { $0.isNumber }) } ?? 0
        }
    }

    func send(rtp packet: [UInt8]) { push(packet, rtp) }

    func send(rtcp packet: [UInt8]) { push(packet, rtcp) }

    private func push(_ packet: [UInt8], _ pad: Pad) {
        guard let buffer = packet.withUnsafeBytes({ gst_buffer_new_memdup($0.baseAddress, gsize($0.count)) }) else {
            return
        }
        buffer.pointee.dts = GstClockTime(pipeline.runningTime ?? 0)
        buffer.pointee.pts = buffer.pointee.dts
        gst_pad_push(pad.pointer(), buffer)
    }

    /// Sends datagrams to every port that the victim has told, from a socket that nobody knows.
    func send(datagrams: [[UInt8]]) throws {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard socket >= 0 else { throw Overdue("No socket: \(errno).") }
        defer { Glibc.close(socket) }
        for candidate in victimCandidates {
            guard let line = try? CandidateLine(parsing: candidate.candidate) else { continue }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = line.port.bigEndian
            guard inet_pton(AF_INET, line.address, &address.sin_addr) == 1 else { continue }
            for datagram in datagrams {
                withUnsafeBytes(of: &address) { place in
                    guard let base = place.baseAddress else { return }
                    _ = sendto(
                        socket, datagram, datagram.count, 0, base.assumingMemoryBound(to: sockaddr.self),
                        socklen_t(place.count))
                }
            }
        }
    }
}

extension Pad {
    /// Whether something has passed it.
    var isInUse: Bool {
        guard let caps = gst_pad_get_current_caps(pointer()) else { return false }
        gst_caps_unref(caps)
        return gst_pad_is_linked(pointer()) != 0
    }
}
