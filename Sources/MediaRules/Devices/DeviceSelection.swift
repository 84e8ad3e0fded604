import BaseKit

/// Which device of a kind is used while devices come and go.
///
/// The person's choice is used whenever it is there, and again when it comes back. Without it the standard one is used,
/// and then stays in use as long as it is there. One that stops is opened once more. One that stops as soon as it is open, or can't be
/// opened, is left alone until it was plugged in again, its server was started anew, or it is chosen once more; the first of the others is used.
package struct DeviceSelection: Sendable, Equatable {
    /// What to do.
    package struct Step: Sendable, Equatable {
        /// The device to use from now on; nil: none is there.
        package var device: MediaDevice?
        /// What the person is to know.
        package var notice: DeviceNotice?
    }

    /// What a person's choice comes to.
    package enum Choice: Sendable, Equatable {
        /// Another device is to be used.
        case other(Step)
        /// The one in use, or none as before: it need not be opened again.
        case same
        /// It is not there: all stays as it is, and the person is told.
        case missing(DeviceNotice)
    }

    private struct Before: Sendable, Equatable {
        var wanted: MediaDevice?
        var current: MediaDevice?
    }

    package let kind: DeviceKind
    /// The person's choice; nil: the standard one.
    package private(set) var wanted: MediaDevice?
    /// The one in use.
    package private(set) var current: MediaDevice?
    /// Whether nothing else is to be used as long as the wanted one was never there.
    private let isStrict: Bool
    private var list: [MediaDevice] = []
    private var hasBegun = false
    /// What was wanted and used before the last step.
    private var before = Before()
    /// The ids of those that are there but could not be opened.
    private var refused: Set<String> = []

    /// `wanted` may be a device's id or name alone, in both fields.
    package init(_ kind: DeviceKind, wanted: MediaDevice?, isStrict: Bool = false) {
        self.kind = kind
        self.wanted = wanted
        self.isStrict = isStrict
    }

    /// Takes over what there is now. Nil: nothing is to be done.
    package mutating func update(_ devices: [MediaDevice]) -> Step? {
        list = devices
        defer { hasBegun = true }
        refused.formIntersection(devices.map(\.id))
        let before = current
        let isGone = before.map { !devices.contains(id: $0.id) } ?? false
        if let wanted, let match = devices.match(wanted), !refused.contains(match.id) {
            guard match.id != before?.id else { return nil }
            use(match)
            return Step(device: match, notice: hasBegun ? .plugged(kind, match.name) : nil)
        }
        if before != nil, !isGone { return nil }
        if isStrict, before == nil, let wanted {
            return hasBegun ? nil : Step(device: nil, notice: .notFound(kind, wanted.name, instead: nil))
        }
        use(devices.first { !refused.contains($0.id) })
        return fallback(from: before)
    }

    /// The person chooses a device, or with nil the standard one.
    package mutating func choose(_ device: MediaDevice?) -> Choice {
        let chosen = device.map { list.match($0) } ?? list.first
        if let device, chosen == nil { return .missing(.notFound(kind, device.name, instead: nil)) }
        if let chosen { refused.remove(chosen.id) }
        let isOther = chosen?.id != current?.id
        use(isOther ? chosen : current, wanted: device == nil ? nil : chosen)
        return isOther ? .other(Step(device: chosen)) : .same
    }

    /// Goes on to the next device; nil when there is no other.
    package mutating func next() -> Step? {
        let usable = list.filter { !refused.contains($0.id) }
        guard usable.count > 1 else { return nil }
        let index = usable.firstIndex { $0.id == current?.id }.map { ($0 + 1) % usable.count } ?? 0
        use(usable[index], wanted: usable[index])
        return Step(device: current)
    }

    /// The device of the last step could not be opened: the one before it is used on. Its step names none when that one has
    /// gone.
    package mutating func takeBack() -> Step {
        if let current { refused.insert(current.id) }
        wanted = before.wanted
        current = before.current.flatMap { old in list.first { $0.id == old.id && !refused.contains(old.id) } }
        return Step(device: current, notice: current.map { .stillUsed(kind, $0.name) })
    }

    /// One that stops within this time does not work. A loudspeaker that is not there is told so only once there is something to play.
    static let patience: Duration = .seconds(1)
    /// One that stopped is opened again after so long: its server may be about to tell that it has gone.
    package static let pause: Duration = .milliseconds(200)

    /// The device in use, which was opened then, stopped by itself: it is opened again, or another one is. Whoever does it tells the
    /// notice once it is open. Nil where none was in use.
    package mutating func stop(opened: Instant, now: Instant) -> Step? {
        guard let current else { return nil }
        guard now - opened >= Self.patience else { return replace() }
        return Step(device: current, notice: .stillUsed(kind, current.name))
    }

    /// The device in use does not work: the first of the others is used, if there is one. The notice is told once it is open.
    package mutating func replace() -> Step {
        let failed = current
        if let failed { refused.insert(failed.id) }
        current = list.first { !refused.contains($0.id) }
        guard let current else { return Step(device: nil) }
        return Step(
            device: current,
            notice: failed.map { .replaced(kind, $0.name, by: current.name) } ?? .plugged(kind, current.name))
    }

    /// The server of the devices was started anew: each may be tried again.
    package mutating func forgive() { refused = [] }

    private mutating func use(_ device: MediaDevice?) { use(device, wanted: wanted) }

    private mutating func use(_ device: MediaDevice?, wanted: MediaDevice?) {
        before = Before(wanted: self.wanted, current: current)
        (self.wanted, current) = (wanted, device)
    }

    private func fallback(from before: MediaDevice?) -> Step? {
        guard let current else {
            if let before { return Step(device: nil, notice: .unplugged(kind, before.name, instead: nil)) }
            return hasBegun ? nil : Step(device: nil, notice: .missing(kind))
        }
        if let before {
            return Step(device: current, notice: .unplugged(kind, before.name, instead: current.name))
        }
        if let wanted, !hasBegun {
            return Step(device: current, notice: .notFound(kind, wanted.name, instead: current.name))
        }
        return Step(device: current, notice: hasBegun ? .plugged(kind, current.name) : nil)
    }
}

extension [MediaDevice] {
    /// The device with this id, or else with this name or an id that was typed as a name.
    package func match(_ wanted: MediaDevice) -> MediaDevice? {
        first { $0.id == wanted.id } ?? first { $0.name == wanted.name }
    }

    package func contains(id: String) -> Bool { contains { $0.id == id } }
}
