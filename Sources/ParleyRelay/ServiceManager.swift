import Glibc
import RelaySettings

/// What systemd gives a service and wants to hear from it; without systemd all of it is nothing.
enum ServiceManager {
    /// Says something to the service manager (sd_notify(3)).
    static func notify(_ message: String) {
        guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }) else { return }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        // An abstract socket's name begins with a zero byte, written as @.
        if bytes.first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let text = Array(message.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, text, text.count, Int32(MSG_NOSIGNAL), $0, length)
            }
        }
    }
}

/// Settings that a service manager makes by itself.
enum Environment {
    /// `StateDirectory=` of systemd.exec(5): the first folder is used.
    static var settings: Settings {
        var settings = Settings()
        if let folders = getenv("STATE_DIRECTORY").map({ String(cString: $0) }) {
            settings.queues = folders.split(separator: ":").first.map { .folder(String($0)) }
        }
        return settings
    }
}
