import Foundation

/// A network namespace: programs started in it see its devices only.
struct NetworkNamespace: Sendable {
    let name: String

    /// Makes it, with a loopback device that is up.
    init(name: String) throws {
        self.name = name
        try Self.run("netns", "add", name)
        try Self.run("-n", name, "link", "set", "lo", "up")
    }

    /// One that is there.
    init(existing name: String) { self.name = name }

    /// Takes a device in and gives it addresses, each with the length of its prefix.
    func adopt(device: String, addresses: [String]) throws {
        try Self.run("link", "set", device, "netns", name)
        try add(addresses: addresses, to: device)
        try Self.run("-n", name, "link", "set", device, "up")
    }

    /// Gives a device addresses; those it has stay.
    func add(addresses: [String], to device: String) throws {
        for address in addresses {
            // A point-to-point link has nobody else who could hold the address.
            let noDuplicateDetection = address.contains(":") ? ["nodad"] : []
            try Self.run(["-n", name, "addr", "replace", address, "dev", device] + noDuplicateDetection)
        }
    }

    func remove(addresses: [String], from device: String) throws {
        for address in addresses { try Self.run("-n", name, "addr", "del", address, "dev", device) }
    }

    func remove() { try? Self.run("netns", "del", name) }

    /// Runs `ip` of iproute2.
    static func run(_ words: String...) throws { try run(words) }

    static func run(_ words: [String]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "ip"] + words
        process.standardOutput = output
        process.standardError = output
        let command = "ip " + words.joined(separator: " ")
        do {
            try process.run()
        } catch {
            throw NetworkEmulationError.command(command, output: error.localizedDescription)
        }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let reason = String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            throw NetworkEmulationError.command(command, output: reason)
        }
    }
}
