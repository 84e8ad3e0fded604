import Foundation
import Synchronization

/// Sees every packet of every interface of this machine while it lives. Needs root.
public final class PacketWatch: Sendable {
    private struct State {
        var frames: [[UInt8]] = []
        var isOver = false
        /// For each text how many packets were looked through, and how many of them hold it.
        var searches: [String: (looked: Int, found: Int)] = [:]
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// `AF_PACKET` and `ETH_P_ALL` in network order (packet(7)).
    private static let family: Int32 = 17
    private static let allProtocols: Int32 = 0x0300

    /// Why nothing can be watched here; nil when it can.
    public static let obstacle: String? = {
        let descriptor = socket(family, Int32(SOCK_RAW.rawValue), allProtocols)
        guard descriptor >= 0 else { return "Watching packets needs root: run it with sudo." }
        close(descriptor)
        return nil
    }()

    public init() throws {
        descriptor = socket(Self.family, Int32(SOCK_RAW.rawValue), Self.allProtocols)
        guard descriptor >= 0 else { throw Overdue("Packets can't be watched: \(errno).") }
        var size: Int32 = 16 << 20
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
        let thread = Thread { [weak self, descriptor] in
            defer { close(descriptor) }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                _ = poll(&ready, 1, 50)
                while true {
                    let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
                    guard count > 0 else { break }
                    let frame = Array(buffer.prefix(count))
                    guard let self else { return }
                    state.withLock { $0.frames.append(frame) }
                }
                guard let self, !state.withLock({ $0.isOver }) else { return }
            }
        }
        thread.start()
    }

    public func stop() { state.withLock { $0.isOver = true } }

    /// How many packets were seen.
    public var count: Int { state.withLock { $0.frames.count } }

    /// How many packets went to an IPv4 address. Frames of Ethernet and of loopback have the same header of 14 bytes.
    public func packets(to address: String) -> Int {
        let wanted = address.split(separator: ".").compactMap { UInt8($0) }
        return state.withLock { state in
            state.frames.count { $0.count >= 34 && $0[12] == 8 && $0[13] == 0 && Array($0[30..<34]) == wanted }
        }
    }

    /// How many packets hold this text in clear, in letters of either size. Each packet is looked through once and by C's own search, so that
    /// other programs may send more than 20 megabytes in a second meanwhile.
    /// - Precondition: the text holds a character that is no letter.
    public func packets(holding text: String) -> Int {
        let (frames, before) = state.withLock { ($0.frames, $0.searches[text] ?? (0, 0)) }
        let wanted = Wanted(text)
        let found = before.found + frames[before.looked...].count(where: wanted.isHeld)
        state.withLock { $0.searches[text] = (frames.count, found) }
        return found
    }
}

/// A text that is looked for in letters of either size.
private struct Wanted {
    private let text: [CChar]
    /// The first character that is the same in either size, and where it stands.
    private let anchor: (character: Int32, offset: Int)

    init(_ text: String) {
        let bytes = Array(text.utf8)
        guard let offset = bytes.firstIndex(where: { isalpha(Int32($0)) == 0 }) else {
            preconditionFailure("A text of letters alone can't be looked for: \(text)")
        }
        self.text = bytes.map { CChar(bitPattern: $0) }
        anchor = (Int32(bytes[offset]), offset)
    }

    func isHeld(by frame: [UInt8]) -> Bool {
        frame.withUnsafeBytes { frame in
            guard frame.count >= text.count, let base = frame.baseAddress else { return false }
            var at = base + anchor.offset
            let last = base + (frame.count - text.count + anchor.offset)
            while at <= last, let hit = memchr(at, anchor.character, last - at + 1) {
                let start = (hit - anchor.offset).assumingMemoryBound(to: CChar.self)
                if strncasecmp(start, text, text.count) == 0 { return true }
                at = UnsafeRawPointer(hit) + 1
            }
            return false
        }
    }
}
