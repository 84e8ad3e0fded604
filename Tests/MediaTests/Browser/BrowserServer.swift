import Foundation
import Synchronization
import Testing

/// Serves the browser peer's page on loopback, and gives the page commands that it asks for one after the other.
///
/// Unchecked: `condition` guards everything that changes.
final class BrowserServer: @unchecked Sendable {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Page")
    private static let types = ["html": "text/html", "js": "text/javascript"]

    /// What the page is asked for.
    private struct Command {
        var number: Int
        var text: Data
    }

    let port: UInt16
    private let listener: Int32
    private let condition = NSCondition()
    private var commands: [Command] = []
    private var replies: [Int: CheckedContinuation<Data, any Error>] = [:]
    private var last = 0
    private var isClosed = false
    private var isAskedFor = false

    init() throws {
        let made = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        listener = made
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(made, pointer, size) == 0 && listen(made, 16) == 0 && getsockname(made, pointer, &size) == 0
            }
        }
        guard isListening else { throw BrowserFailure(description: "no port for the browser's page") }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Whether the page runs: it has asked for its first command.
    var isReady: Bool { condition.withLock { isAskedFor } }

    /// Ends all waiting and the listener.
    func close() {
        let waiting = condition.withLock {
            isClosed = true
            condition.broadcast()
            defer { replies = [:] }
            return replies.values.map { $0 }
        }
        shutdown(listener, Int32(SHUT_RDWR))
        for continuation in waiting { continuation.resume(throwing: CancellationError()) }
    }

    /// Has the page carry out a command; gives its answer as JSON, or throws what went wrong there.
    func command(_ name: String, _ argument: Data) async throws -> Data {
        let number = condition.withLock {
            last += 1
            return last
        }
        var text = Data(#"{"number":\#(number),"name":"\#(name)","argument":"#.utf8)
        text += argument + Data("}".utf8)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                condition.withLock {
                    if isClosed || Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
                    replies[number] = continuation
                    commands.append(Command(number: number, text: text))
                    condition.broadcast()
                }
            }
        } onCancel: {
            condition.withLock { replies.removeValue(forKey: number) }?.resume(throwing: CancellationError())
        }
    }

    // MARK: HTTP

    private func accept() {
        while true {
            let connection = Glibc.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            Thread.detachNewThread { [self] in
                serve(FileHandle(fileDescriptor: connection, closeOnDealloc: true))
            }
        }
        Glibc.close(listener)
    }

    /// One request a connection.
    private func serve(_ connection: FileHandle) {
        var request = Data()
        var head: Range<Data.Index>?
        while head == nil {
            let part = connection.availableData
            guard !part.isEmpty, request.count < 1 << 20 else { return }
            request += part
            head = request.range(of: Data("\r\n\r\n".utf8))
        }
        guard let head else { return }
        let lines = String(decoding: request[..<head.lowerBound], as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ").map(String.init) ?? []
        guard words.count >= 2 else { return }
        let length = lines.first { $0.lowercased().hasPrefix("content-length:") }
            .flatMap { Int($0.dropFirst("content-length:".count).trimmingCharacters(in: .whitespaces)) }
        var body = request[head.upperBound...]
        while body.count < length ?? 0 {
            let part = connection.availableData
            guard !part.isEmpty else { return }
            body += part
        }
        let (status, type, content) = answer(method: words[0], path: words[1], body: Data(body))
        let header =
            "HTTP/1.1 \(status)\r\nContent-Type: \(type)\r\nContent-Length: \(content.count)\r\nConnection: close\r\n\r\n"
        try? connection.write(contentsOf: Data(header.utf8) + content)
    }

    private func answer(method: String, path: String, body: Data) -> (status: String, type: String, content: Data) {
        switch (method, path) {
        case ("GET", "/next"):
            guard let command = next() else { return ("204 No Content", "text/plain", Data()) }
            return ("200 OK", "application/json", command)
        case ("POST", "/reply"):
            take(reply: body)
            return ("200 OK", "text/plain", Data())
        default:
            let name = path == "/" ? "index.html" : String(path.dropFirst())
            guard !name.contains("/"), let type = Self.types[(name as NSString).pathExtension],
                let content = try? Data(contentsOf: Self.page.appending(path: name))
            else { return ("404 Not Found", "text/plain", Data()) }
            return ("200 OK", type, content)
        }
    }

    private func next() -> Data? {
        condition.withLock {
            isAskedFor = true
            let end = Date(timeIntervalSinceNow: 10)
            while commands.isEmpty && !isClosed {
                guard condition.wait(until: end) else { return nil }
            }
            return commands.isEmpty ? nil : commands.removeFirst().text
        }
    }

    private struct Reply: Decodable {
        var number: Int
        var error: String?
    }

    private func take(reply: Data) {
        guard let head = try? JSONDecoder().decode(Reply.self, from: reply) else { return }
        let continuation = condition.withLock { replies.removeValue(forKey: head.number) }
        if let error = head.error {
            continuation?.resume(throwing: BrowserFailure(description: error))
        } else {
            continuation?.resume(returning: reply)
        }
    }
}

/// What the page or its browser could not do.
struct BrowserFailure: Error, CustomStringConvertible {
    var description: String
}
