import Glibc

/// Where the sockets of PipeWire and PulseAudio are, by the rules of their client libraries.
struct ServerSockets: Sendable, Equatable {
    /// PipeWire's, in the order in which they are tried.
    var pipeWire: [String]
    /// PulseAudio's; nil when it is no file of this machine.
    var pulse: String?

    /// As libpipewire (`PIPEWIRE_REMOTE`, `PIPEWIRE_RUNTIME_DIR`) and libpulse (`PULSE_SERVER`, `PULSE_RUNTIME_PATH`) look for
    /// them.
    init(environment: [String: String]) {
        let home = environment["XDG_RUNTIME_DIR"]
        let remote = environment["PIPEWIRE_REMOTE"].flatMap { $0.isEmpty ? nil : $0 } ?? "pipewire-0"
        let folder = environment["PIPEWIRE_RUNTIME_DIR"] ?? home ?? environment["USERPROFILE"]
        pipeWire =
            remote.hasPrefix("/")
            ? [remote] : [folder, "/run/pipewire"].compactMap { $0.map { "\($0)/\(remote)" } }
        if let server = environment["PULSE_SERVER"], !server.isEmpty {
            pulse = Self.path(ofServer: server)
        } else {
            pulse =
                environment["PULSE_RUNTIME_PATH"].map { $0 + "/native" } ?? home.map { $0 + "/pulse/native" }
        }
    }

    /// The first file among PulseAudio's way of naming servers: `{machine}unix:/path other`.
    private static func path(ofServer text: String) -> String? {
        let first = text.split(separator: " ").first ?? ""
        let name = first.hasPrefix("{") ? first.drop { $0 != "}" }.dropFirst() : first
        let path = name.hasPrefix("unix:") ? name.dropFirst(5) : name
        return path.hasPrefix("/") ? String(path) : nil
    }

    /// Connects to a socket without waiting; nil when nobody listens there.
    static func connect(to path: String) -> Int32? {
        let descriptor = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        let fits = withUnsafeMutableBytes(of: &address.sun_path) { place in
            guard bytes.count < place.count else { return false }
            place.copyBytes(from: bytes)
            return true
        }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard fits, result == 0 else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
