import Foundation
import MediaRules

/// What a configured source means on this machine. Opens nothing.
struct SourceChoice: Sendable {
    /// Which device to use, where devices are meant.
    var selection: DeviceSelection?
    /// What there is to go round where no devices are meant.
    var fixed: [Capture.Source] = []

    /// In a sandbox the person's choice is made in the desktop's own question: what else is listed there is not for us.
    init(_ camera: CameraSource, isSandboxed: Bool = Self.isSandboxed) {
        switch camera {
        case .automatic where isSandboxed, .preferred where isSandboxed: fixed = [.portal]
        case .automatic: selection = DeviceSelection(.camera, wanted: nil)
        case .preferred(let device): selection = DeviceSelection(.camera, wanted: device)
        case .named(let name): selection = .strict(.camera, name)
        case .portal: fixed = [.portal]
        case .test: fixed = [.test(0), .test(1)]
        case .file(let path): fixed = [.file(path)]
        case .echo, .none: break
        }
    }

    init(_ microphone: MicrophoneSource) {
        switch microphone {
        case .automatic: selection = DeviceSelection(.microphone, wanted: nil)
        case .preferred(let device): selection = DeviceSelection(.microphone, wanted: device)
        case .named(let name): selection = .strict(.microphone, name)
        case .test: fixed = [.test(0)]
        case .file(let path): fixed = [.file(path)]
        case .echo, .none: break
        }
    }

    init(_ speaker: SpeakerSink) {
        switch speaker {
        case .automatic: selection = DeviceSelection(.speaker, wanted: nil)
        case .preferred(let device): selection = DeviceSelection(.speaker, wanted: device)
        case .named(let name): selection = .strict(.speaker, name)
        case .none: break
        }
    }

    /// Whether this program sees cameras only through the desktop's portal (Flatpak, Snap).
    static var isSandboxed: Bool {
        FileManager.default.fileExists(atPath: "/.flatpak-info") || ProcessInfo.processInfo.environment["SNAP"] != nil
    }

    /// What there is to go round now. Blocks until the devices are known.
    func sources(_ monitor: DeviceMonitor) -> [Capture.Source] {
        selection.map { monitor.found($0.kind).map(Capture.Source.device) } ?? fixed
    }
}

extension DeviceSelection {
    fileprivate static func strict(_ kind: DeviceKind, _ name: String) -> DeviceSelection {
        DeviceSelection(kind, wanted: MediaDevice(id: name, name: name), isStrict: true)
    }
}
