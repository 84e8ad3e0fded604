import BaseKit
import Cryptography

@testable import MediaRules

extension FuzzTarget {
    /// What a peer's description, candidates, frames and feedback may be.
    static let media: [FuzzTarget] = [
        FuzzTarget(name: "description", run: description),
        FuzzTarget(name: "candidate", run: candidate),
        FuzzTarget(name: "fingerprint", run: fingerprint),
        FuzzTarget(name: "frame", run: frame),
        FuzzTarget(name: "group-frame", run: groupFrame),
        FuzzTarget(name: "fragments", run: fragments),
        FuzzTarget(name: "packets", run: packets),
        FuzzTarget(name: "congestion", run: congestion),
        FuzzTarget(name: "server-feedback", run: serverFeedback),
    ]

    private static func description(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        try serverDescription(text)
        if let description = try? SessionDescription(parsing: text) {
            for medium in description.media { _ = (medium.knownFormats, medium.knownExtensions) }
            try require(try GStreamerDescription(text).agrees(with: description), "GStreamer reads other lines")
        }
        for offer in [true, false] {
            let mids = (try? SessionDescription(parsing: text))?.mids ?? []
            guard
                let peer = try? offer ? PeerDescription(offer: text) : PeerDescription(answer: text, offeredMids: mids)
            else { continue }
            try checkWritten(peer)
            try require(peer.fingerprint.bytes.count == 32, "a fingerprint has another length")
            let own = DescriptionText.with(fingerprint: peer.fingerprint, in: peer.text)
            let again = try mustSucceed("a checked description is refused") { try PeerDescription(offer: own) }
            try require(
                again.fingerprint == peer.fingerprint && again.mids == peer.mids, "a checked description changed")
        }
    }

    /// A forwarding server's offer is told the media engine as one that only sends.
    private static func serverDescription(_ text: String) throws {
        guard let peer = try? PeerDescription(offerOfServer: text) else { return }
        let again = try mustSucceed("what was written is refused") { try PeerDescription(offerOfServer: peer.text) }
        try require(again.text == peer.text && again.mids == peer.mids, "what was written is written another way")
        try require(again.candidates.isEmpty, "a candidate is left in the text")
        for line in ["a=sendrecv", "a=recvonly", "a=setup:actpass", "transport-cc"] {
            try require(!peer.text.contains(line), "\(line) is left of a server's offer")
        }
        for slot in [MediaSlot.microphone, .camera] {
            try require(MediaLabel(receiving: slot, of: peer) != nil, "a medium has no label")
        }
        try require(
            peer.mids.count > 2 || MediaLabel(receiving: .screenSound, of: peer) == nil, "a label has no line")
    }

    /// What the media engine is told says the same to GStreamer as to us, holds no candidate and is written no other way again.
    private static func checkWritten(_ peer: PeerDescription) throws {
        let again = try mustSucceed("what was written is refused") { try PeerDescription(offer: peer.text) }
        try require(again.text == peer.text, "what was written is written another way")
        try require(again.fingerprint == peer.fingerprint && again.mids == peer.mids, "writing changed the call")
        try require(again.isOlder == peer.isOlder, "writing changed the peer's version")
        try require(again.candidates.isEmpty, "a candidate is left in the text")
        let formats = zip(again.description.media, peer.description.media)
        try require(
            formats.allSatisfy { $0.knownFormats.map(\.payloadType) == $1.knownFormats.map(\.payloadType) },
            "writing changed the formats")
        let read = try GStreamerDescription(peer.text)
        try require(read.agrees(with: again.description), "GStreamer reads other lines of what was written")
        try require(!read.attributes.contains { $0.contains("candidate") }, "GStreamer finds a candidate")
    }

    private static func candidate(_ input: [UInt8]) throws {
        let lines = String(decoding: input, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        let candidates = lines.prefix(400).enumerated().map { index, line in
            MediaCandidate(candidate: String(line), mid: index % 3 == 0 ? nil : "\(index % 4)", mLineIndex: index % 5)
        }
        for isRelayOnly in [true, false] {
            var filter = CandidateFilter(allowsLoopback: false, isRelayOnly: isRelayOnly)
            let accepted = filter.accept(candidates, mids: ["0", "1"])
            try require(accepted.count <= CandidateFilter.maximumCount, "too many candidates are used")
            try require(accepted.count + filter.rejected == candidates.count, "candidates were miscounted")
            for candidate in accepted {
                let line = try mustSucceed("an accepted candidate is read") {
                    try CandidateLine(parsing: candidate.candidate)
                }
                try require(line.text == candidate.candidate, "a candidate is not in our own words")
                try require(
                    InternetAddress(literal: line.address) != nil && !line.isLoopback, "a wrong address is used")
                let blank = CandidateLine.withoutRelatedAddress(candidate.candidate)
                try require(
                    (try? CandidateLine(parsing: blank))?.address == line.address, "blanking changed the address")
            }
        }
    }

    private static func fingerprint(_ input: [UInt8]) throws {
        let text = String(decoding: input, as: UTF8.self)
        _ = Fingerprint(certificatePEM: text)
        guard let found = try? Fingerprint(attribute: text) else { return }
        try require(found.bytes.count == 32, "a fingerprint has another length")
        try require(
            (try? Fingerprint(attribute: found.attribute)) == found, "a fingerprint is another one after writing")
    }

    private static func frame(_ input: [UInt8]) throws {
        let cipher = try FrameCipher(key: SecretBytes([UInt8](repeating: 7, count: 32)))
        for kind in [FrameKind.audio, .video] {
            if let plain = try? cipher.decrypt(input, kind: kind) {
                // Only a frame without anything to protect has no tag.
                try require(
                    plain.count == kind.clearPrefix(firstByte: input.first ?? 0), "a frame nobody made was accepted")
            }
            guard let sealed = try? cipher.encrypt(input, kind: kind, iv: [UInt8](repeating: 1, count: 12)) else {
                continue
            }
            try require((try? cipher.decrypt(sealed, kind: kind)) == input, "a frame is another one after decryption")
        }
    }

    /// Frames of a group call: the trailer is read as it is written, nothing opens that nobody sealed, and what was sealed opens once.
    private static func groupFrame(_ input: [UInt8]) throws {
        let (call, now) = ([UInt8](repeating: 9, count: 16), Instant(sinceStart: .seconds(1)))
        let key = try GroupFrameKey(epoch: 2, step: 1, secret: SecretBytes([UInt8](repeating: 7, count: 32)))
        var ring = try KeyRing(call: call)
        if let trailer = try? input.withUnsafeBytes({ try GroupFrameTrailer(endOf: $0) }) {
            var written = [UInt8](repeating: 0, count: GroupFrameTrailer.size)
            written.withUnsafeMutableBytes(trailer.encode)
            try require(written == input.suffix(written.count), "a trailer is another one after writing")
            try ring.give(key, of: trailer.member, now: now)
            try require(
                (try? ring.open(input, from: trailer.member, now: now)) == nil, "a frame nobody made was accepted")
            try require(ring.newest(of: trailer.member)?.step == 1, "a frame nobody made moved a key")
        }
        try ring.give(key, of: 5, now: now)
        let cipher = try GroupFrameCipher(key, member: 5, call: call)
        for (counter, stream) in GroupStream.allCases.enumerated() {
            guard let sealed = try? cipher.seal(input, of: stream, counter: UInt32(counter)) else { continue }
            try require((try? ring.open(sealed, from: 5, now: now)) == input, "a frame is another one after opening")
            try require((try? ring.open(sealed, from: 5, now: now)) == nil, "a frame was accepted twice")
        }
    }

    private static func fragments(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        var packetizer = VP8Packetizer(pictureID: UInt16(input.word16()))
        while !input.isAtEnd {
            let (size, room) = (input.word16() * 4, input.word16() % 1_600)
            let fragments = packetizer.fragments(frameSize: size, payloadSize: room)
            guard let last = fragments.last else { continue }
            try require(last.range.upperBound == size && last.isLast, "a frame is cut short")
            try require(fragments.allSatisfy { $0.descriptor.count + $0.range.count <= room }, "a payload is too long")
            try require(
                zip(fragments, fragments.dropFirst()).allSatisfy { $0.range.upperBound == $1.range.lowerBound },
                "a frame has holes")
        }
    }

    /// RTP, RTCP and key frames of a peer that says anything.
    private static func packets(_ input: [UInt8]) throws {
        input.withUnsafeBytes { _ = RTCPCompound($0) }
        let header = input.withUnsafeBytes { RTPHeader($0) }
        if let header {
            try require(
                header.payload.lowerBound >= 12 && header.payload.upperBound <= input.count,
                "a payload outside its packet")
        }
        var budget = PictureBudget()
        if budget.admits(header: Array(input.prefix(10)), now: Instant(sinceStart: .zero)),
            let size = VP8Frame.pictureSize(header: input)
        {
            try require(size.width * size.height <= PictureBudget.pixels, "a picture too large is let through")
        }
    }

    /// Compounds that leave for a forwarding server: what is split is well-formed, and not split again.
    private static func serverFeedback(_ input: [UInt8]) throws {
        var splitter = FeedbackSplitter()
        let packets = input.withUnsafeBytes { splitter.split($0) } ?? []
        let isWhole = input.withUnsafeBytes { RTCPCompound($0) } != nil
        try require(packets.count <= FeedbackSplitter.mostWishes + 1, "too many packets")
        for packet in packets {
            try require(!isWhole || packet.withUnsafeBytes { RTCPCompound($0) } != nil, "a packet is malformed")
            try require(packet.withUnsafeBytes { splitter.split($0) } == nil, "what was split is split again")
        }
        for number in 0..<16 { _ = input.withUnsafeBytes { SendTime($0, extension: number) } }
    }

    /// Feedback of a peer that says anything: times and sizes may jump.
    private static func congestion(_ input: [UInt8]) throws {
        var input = FuzzInput(input)
        let limits = GradientController.Limits()
        var controller = GradientController(limits: limits)
        let start = Instant(sinceStart: .zero)
        var (now, sent, arrived) = (start, start, Duration.zero)
        while !input.isAtEnd {
            now += .milliseconds(input.byte())
            var reports: [PacketReport] = []
            for _ in 0..<(1 + input.choice(16)) {
                sent += .microseconds(Int64(input.byte()) * 100)
                // The peer's clock is 64 ms * 2^24 at most in feedback, and may run backwards.
                arrived += .microseconds(Int64(Int8(bitPattern: input.byte())) << Int64(input.choice(30)))
                reports.append(
                    PacketReport(sentAt: sent, arrivedAt: input.choice(8) == 0 ? nil : arrived, size: input.word16()))
            }
            controller.receive(reports, now: now)
            let target = controller.target
            try require((limits.lowest...limits.highest).contains(target.bitrate), "a rate of \(target.bitrate)")
            try require((0...1).contains(controller.loss), "a loss of \(controller.loss)")
        }
    }
}
