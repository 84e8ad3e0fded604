/// The sound server's devices, listed anew whenever it says that something has changed: one look after the other, and one more after
/// that when something changed meanwhile.
package struct SoundServerList: Sendable, Equatable {
    /// More devices of a kind than that are not listed: any program may make some.
    package static let mostDevices = 256

    private var isLooking = false
    private var isOutdated = false
    private var found: [DeviceRecord] = []
    private var standards: [DeviceKind: String] = [:]

    /// The devices as of the last look, in the server's order; none before the first.
    package private(set) var devices: [DeviceRecord] = []
    /// Whether there was a look.
    package private(set) var isKnown = false

    /// Nothing is known.
    package init() {}

    /// Something has changed, or the first look is due. Gives whether a look begins now.
    package mutating func look() -> Bool {
        guard !isLooking else {
            isOutdated = true
            return false
        }
        (isLooking, isOutdated, found, standards) = (true, false, [], [:])
        return true
    }

    /// The server's own choice for a kind.
    package mutating func note(standard kind: DeviceKind, _ name: String?) { standards[kind] = name }

    /// A device, by the server's own name for it and the one for people.
    package mutating func note(_ kind: DeviceKind, _ name: String, _ description: String?) {
        guard found.lazy.filter({ $0.kind == kind }).count < Self.mostDevices else { return }
        let shown = description.flatMap { $0.isEmpty ? nil : $0 } ?? name
        found.append(DeviceRecord(kind: kind, provider: .pulse, name: shown, internalName: name))
    }

    /// The look is over. Gives whether another list has come of it, and whether the next look is due.
    package mutating func end() -> (isNews: Bool, isDue: Bool) {
        let records = found.map { record in
            var record = record
            record.isDefault = standards[record.kind] == record.internalName
            return record
        }
        let isNews = !isKnown || records != devices
        (devices, isKnown, isLooking) = (records, true, false)
        return (isNews, isOutdated)
    }
}
