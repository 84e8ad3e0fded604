import MediaRules

/// Seals the own frames of one stream for all members at once. On one streaming thread.
final class GroupFrameSealer: FrameSealing {
    private let keys: GroupKeys
    private let stream: GroupStream
    private var cipher: (sealing: GroupFrameCipher, generation: Int)?

    init(keys: GroupKeys, stream: GroupStream) { (self.keys, self.stream) = (keys, stream) }

    func seal(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> Int? {
        let count = frame.count + GroupFrameCipher.overhead
        guard count <= place.count, let next = try? keys.next(of: stream) else { return nil }
        if cipher?.generation != next.generation {
            guard let made = try? GroupFrameCipher(next.key, member: keys.member, call: keys.call) else { return nil }
            cipher = (made, next.generation)
        }
        let place = UnsafeMutableRawBufferPointer(rebasing: place.prefix(count))
        guard (try? cipher?.sealing.seal(frame, of: stream, counter: next.counter, into: place)) != nil else {
            return nil
        }
        return count
    }
}

/// Opens the frames that one member sends on one m-line of a way. On one streaming thread.
final class GroupFrameOpener: FrameOpening {
    private let keys: GroupKeys
    private let member: UInt8
    private let way: Int
    private let admitted: Set<GroupStream>

    init(keys: GroupKeys, member: UInt8, slot: MediaSlot, way: Int) {
        (self.keys, self.member, self.way) = (keys, member, way)
        admitted = slot.groupStreams
    }

    func open(_ frame: UnsafeRawBufferPointer, into place: UnsafeMutableRawBufferPointer) -> FrameOpeningOutcome {
        let count = frame.count - GroupFrameCipher.overhead
        guard count > 0, count <= place.count else { return .refused }
        do {
            let place = UnsafeMutableRawBufferPointer(rebasing: place.prefix(count))
            let found = try keys.open(frame, from: member, by: way, into: place)
            return admitted.contains(found.stream) ? .placed(count, found) : .refused
        } catch .replayed {
            return .repeated
        } catch {
            return .refused
        }
    }
}

extension MediaSlot {
    /// The stream that the frames of this m-line are sealed as.
    var groupStream: GroupStream {
        switch self {
        case .microphone: .sound
        case .camera: .high
        case .screen: .screen
        case .screenSound: .screenSound
        }
    }

    /// The streams whose frames may come on this m-line.
    fileprivate var groupStreams: Set<GroupStream> { self == .camera ? [.high, .low, .lowest] : [groupStream] }
}
