import BaseKit
import Dispatch
import Glibc

/// Tells when the machine's addresses change, as the kernel says by rtnetlink (rtnetlink(7)).
final class NetworkMonitor: Sendable {
    /// What it tells.
    enum News: Sendable, Equatable {
        /// The addresses have changed.
        case changed(AddressChange)
        /// There is no address left.
        case lost
    }

    /// The news, for one reader; ends with ``stop()``. A machine without an address at the beginning is news, too.
    let news: AsyncStream<News>

    private let continuation: AsyncStream<News>.Continuation
    private let queue = DispatchQueue(label: "im.parley.network")
    private let watch: Lock<AddressWatch>
    /// Unsafe only in name: set once, and Dispatch's sources may be cancelled on any thread, also twice.
    private nonisolated(unsafe) let source: (any DispatchSourceRead)?

    /// `AF_NETLINK`, and the groups of links and of addresses of both families: `linux/rtnetlink.h`, macros that Swift
    /// does not see.
    private static let family: Int32 = 16
    private static let groups: UInt32 = 0x1 | 0x10 | 0x100

    /// Begins to watch. Where the kernel offers no rtnetlink, nothing is ever told.
    init() {
        (news, continuation) = AsyncStream.makeStream()
        let present = LocalAddresses.present
        watch = Lock(AddressWatch(addresses: present, now: .now))
        if present.isEmpty { continuation.yield(.lost) }
        guard let descriptor = Self.open() else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        self.source = source
        source.setEventHandler { [weak self] in
            Self.drain(descriptor)
            self?.look()
        }
        source.setCancelHandler { close(descriptor) }
        source.resume()
    }

    deinit { stop() }

    /// Ends the watch.
    func stop() {
        source?.cancel()
        continuation.finish()
    }

    private func look() {
        switch watch.withLock({ $0.look(LocalAddresses.present, now: .now) }) {
        case .rest: break
        case .look(let time):
            queue.asyncAfter(deadline: .now() + DispatchTimeInterval(time - .now)) { [weak self] in self?.look() }
        case .changed(let change): continuation.yield(.changed(change))
        case .lost: continuation.yield(.lost)
        }
    }

    private static func open() -> Int32? {
        let descriptor = socket(
            family, Int32(SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        // struct sockaddr_nl: family, padding, port 0 (the kernel chooses), groups.
        var address = [UInt8](repeating: 0, count: 12)
        address.withUnsafeMutableBytes { bytes in
            bytes.storeBytes(of: UInt16(family), as: UInt16.self)
            bytes.storeBytes(of: groups, toByteOffset: 8, as: UInt32.self)
        }
        let isBound = address.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                bind(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count)) == 0
            } ?? false
        }
        guard isBound else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    /// What the messages say is not read: the addresses are looked at themselves.
    private static func drain(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        while recv(descriptor, &buffer, buffer.count, 0) > 0 {}
    }
}

/// The addresses by which other machines can be reached.
enum LocalAddresses {
    /// Those of now: of interfaces that are up, without loopback and link-local ones.
    static var present: Set<String> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: Set<String> = []
        var next = list
        while let entry = next {
            next = entry.pointee.ifa_next
            let flags = entry.pointee.ifa_flags
            guard flags & UInt32(IFF_UP) != 0, flags & UInt32(IFF_LOOPBACK) == 0,
                let address = entry.pointee.ifa_addr, let text = text(address), !text.hasPrefix("fe80:")
            else { continue }
            found.insert(text)
        }
        return found
    }

    private static func text(_ address: UnsafeMutablePointer<sockaddr>) -> String? {
        let size: Int
        switch Int32(address.pointee.sa_family) {
        case AF_INET: size = MemoryLayout<sockaddr_in>.size
        case AF_INET6: size = MemoryLayout<sockaddr_in6>.size
        default: return nil
        }
        var name = [UInt8](repeating: 0, count: Int(NI_MAXHOST))
        let result = name.withUnsafeMutableBytes { bytes in
            getnameinfo(
                address, socklen_t(size), bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                socklen_t(bytes.count), nil, 0, NI_NUMERICHOST)
        }
        return result == 0 ? String(decoding: name.prefix { $0 != 0 }, as: UTF8.self) : nil
    }
}
