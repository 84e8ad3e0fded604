import Foundation

/// How a Janus is set for a measured call, as docs/groups.md has it: rooms for video calls and WebSockets, and nothing else.
struct JanusSettings: Sendable {
    /// A certificate and its private key, as paths.
    struct Certificate: Sendable {
        var certificate: String
        var key: String
    }

    /// The only modules that are wanted.
    private static let wanted = ["plugins": "libjanus_videoroom.so", "transports": "libjanus_websockets.so"]
    /// The kinds of modules, each in a folder of its own.
    static let kinds = ["plugins", "transports", "events", "loggers"]

    /// Where its files are.
    var folder: String
    /// Where it takes WebSockets.
    var host: String
    var port: UInt16
    /// The key for making rooms.
    var roomKey: String
    /// With one it takes `wss` alone, else `ws`.
    var certificate: Certificate?
    /// The modules that are installed, by their kind.
    var modules: [String: [String]] = [:]

    /// Where it is reached.
    var address: String { "\(certificate == nil ? "ws" : "wss")://\(host):\(port)/" }

    /// The file that it is started with.
    var path: String { folder + "/janus.jcfg" }

    /// Its files, by name.
    var files: [String: String] {
        let kind = certificate == nil ? "ws" : "wss"
        var transport = "general: { ws = \(certificate == nil)  wss = \(certificate != nil)  "
        transport += "\(kind)_port = \(port)  \(kind)_ip = \"\(host)\" }\n"
        if let certificate {
            transport += "certificates: { cert_pem = \"\(certificate.certificate)\"  "
            transport += "cert_key = \"\(certificate.key)\" }\n"
        }
        return [
            "janus.jcfg": """
            general: { configs_folder = "\(folder)"  debug_level = 4  debug_colors = false
              session_timeout = 60  reclaim_session_timeout = 20 }
            media: { rtp_port_range = "20000-20999"  twcc_period = 50 }

            """ + Self.kinds.map { "\($0): { disable = \"\(others(of: $0))\" }\n" }.joined(),
            "janus.transport.websockets.jcfg": transport,
            "janus.plugin.videoroom.jcfg": "general: { admin_key = \"\(roomKey)\"  lock_rtp_forward = true }\n",
        ]
    }

    /// What it would load of a kind besides what is wanted.
    private func others(of kind: String) -> String {
        (modules[kind] ?? []).filter { $0 != Self.wanted[kind] }.sorted().joined(separator: ",")
    }

    /// The modules that are installed on this machine, by their kind.
    static func installedModules() -> [String: [String]] {
        func names(in folder: String) -> [String] {
            (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        }
        let roots = names(in: "/usr/lib").map { "/usr/lib/\($0)/janus" }
        let folders = roots + ["/usr/lib/janus", "/usr/lib64/janus", "/usr/local/lib/janus"]
        return Dictionary(
            uniqueKeysWithValues: kinds.map { kind in
                (kind, folders.flatMap { names(in: "\($0)/\(kind)") }.filter { $0.hasSuffix(".so") })
            })
    }
}
