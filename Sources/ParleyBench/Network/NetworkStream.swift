import BaseKit
import Foundation
import NetworkEmulation

/// A TCP connection from one side of an emulated link to the other that carries as much as it can.
final class NetworkStream: Sendable {
    private let listener: PipedProgram
    private let sender: PipedProgram
    private let lines: Shared<[Int]>

    /// Starts it. Throws ``BenchError``.
    init(from one: NetworkEmulator.Side, to other: NetworkEmulator.Side) async throws {
        let lines = Shared<[Int]>([])
        self.lines = lines
        let environment = ProcessInfo.processInfo.environment
        listener = try PipedProgram(
            other.prefix + [Programs.own.path, "network-stream"], environment: environment,
            separator: UInt8(ascii: "\n")
        ) { record in
            if let number = record.flatMap({ Int(String(decoding: $0, as: UTF8.self)) }) {
                lines.change { $0.append(number) }
            }
        }
        let port = try await Self.next(lines)
        sender = try PipedProgram(
            one.prefix + [Programs.own.path, "network-stream", "--to", other.address, "--port", "\(port)"],
            environment: environment, separator: UInt8(ascii: "\n")
        ) { _ in }
    }

    /// Bytes that have arrived. Throws ``BenchError/call(_:)`` when it does not answer.
    func received() async throws -> Int {
        listener.write(Data("\n".utf8))
        return try await Self.next(lines)
    }

    func stop() {
        sender.stop()
        listener.stop()
    }

    private static func next(_ lines: Shared<[Int]>) async throws -> Int {
        let limit = Instant.now + .seconds(10)
        while Instant.now < limit {
            var first: Int?
            lines.change { if !$0.isEmpty { first = $0.removeFirst() } }
            if let first { return first }
            try await Task.sleep(for: .milliseconds(5))
        }
        throw BenchError.call("the TCP connection beside it does not answer")
    }
}
