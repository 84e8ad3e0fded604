import ArgumentParser
import BaseKit
import Foundation
import Glibc

/// One end of a TCP connection that carries as much as it can, beside a measured call; started by ``NetworkCommand`` in a namespace.
///
/// The end that listens writes its port, then for each line of its standard input how many bytes have come.
struct StreamCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "network-stream", abstract: "One end of a TCP connection beside a measured call.",
        shouldDisplay: false)

    @Option(help: "Where to send to; without it this end listens.")
    var to: String?

    @Option(help: "The port there.")
    var port: UInt16 = 0

    func run() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError.call("no socket can be made") }
        if let to { try send(descriptor, to) } else { try listen(descriptor) }
    }

    private func send(_ descriptor: Int32, _ host: String) throws {
        let place = RawSocket.endpoint(host, port)
        guard RawSocket.with(place, { connect(descriptor, $0, $1) }) == 0 else {
            throw BenchError.call("the TCP connection beside it was refused")
        }
        let piece = [UInt8](repeating: 0, count: 65_536)
        while write(descriptor, piece, piece.count) > 0 {}
    }

    private func listen(_ descriptor: Int32) throws {
        let any = RawSocket.endpoint("0.0.0.0", 0)
        var (made, length) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isBound = RawSocket.with(any) { bind(descriptor, $0, $1) } == 0 && Glibc.listen(descriptor, 1) == 0
        let isNamed = withUnsafeMutablePointer(to: &made) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard isBound, isNamed == 0 else { throw BenchError.call("nothing can listen beside it") }
        Self.tell("\(UInt16(bigEndian: made.sin_port))")
        let received = Shared(0)
        Thread.detachNewThread {
            let connection = accept(descriptor, nil, nil)
            var piece = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(connection, &piece, piece.count), count > 0 { received.change { $0 += count } }
        }
        while readLine() != nil { Self.tell("\(received.value)") }
    }

    private static func tell(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
