/// What a configured source means on this machine.
///
/// Each function may block, throws ``MediaError/device(_:)`` with a sentence for the person, and opens nothing.
enum SourceChoice {
    typealias Choice = (sources: [Capture.Source], first: Int)

    static func resolve(_ camera: CameraSource) throws(MediaError) -> Choice {
        switch camera {
        case .automatic: try devices(.camera, named: nil)
        case .named(let name): try devices(.camera, named: name)
        case .test: ([.test(0), .test(1)], 0)
        case .file(let path): ([.file(path)], 0)
        case .echo, .none: ([], 0)
        }
    }

    static func resolve(_ microphone: MicrophoneSource) throws(MediaError) -> Choice {
        switch microphone {
        case .automatic: try devices(.microphone, named: nil)
        case .named(let name): try devices(.microphone, named: name)
        case .test: ([.test(0)], 0)
        case .file(let path): ([.file(path)], 0)
        case .echo, .none: ([], 0)
        }
    }

    /// The loudspeaker; nil when none is wanted.
    static func resolve(_ speaker: SpeakerSink) throws(MediaError) -> FoundDevice? {
        switch speaker {
        case .automatic: try FoundDevice.find(.speaker, named: nil)
        case .named(let name): try FoundDevice.find(.speaker, named: name)
        case .none: nil
        }
    }

    private static func devices(_ kind: DeviceKind, named name: String?) throws(MediaError) -> Choice {
        let all = FoundDevice.all(kind)
        guard !all.isEmpty else { throw .device(kind.missing) }
        guard let name else { return (all.map { .device($0) }, 0) }
        guard let index = all.firstIndex(where: { $0.device.id == name || $0.device.name == name }) else {
            throw .device(kind.absent(name))
        }
        return (all.map { .device($0) }, index)
    }
}
