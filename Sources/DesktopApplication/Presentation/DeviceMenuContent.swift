import MediaRules

/// The devices that one can change to in a call.
struct DeviceMenuContent: Equatable {
    /// Those of one kind.
    struct Section: Equatable {
        let kind: DeviceKind
        let devices: [MediaDevice]
        /// The id of the one in use.
        let used: String
    }

    let sections: [Section]

    /// Leaves out what the call takes from elsewhere: a test picture, a file, nothing.
    init(_ devices: MediaDevices, inUse: DevicesInUse) {
        sections = DeviceKind.allCases.compactMap { kind in
            inUse[kind].map { Section(kind: kind, devices: devices[kind], used: $0.id) }
        }
    }
}
