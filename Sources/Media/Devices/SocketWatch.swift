import Dispatch
import Glibc

/// Tells when a server's socket may have appeared. Costs nothing while nothing happens.
///
/// Unchecked: everything is touched on the owner's queue only.
final class SocketWatch: @unchecked Sendable {
    private let descriptor: Int32
    private let source: any DispatchSourceRead
    private let onAppearance: @Sendable () -> Void
    /// By watch number, the names that count in its folder.
    private var names: [Int32: Set<String>] = [:]

    /// Watches nothing yet; `onAppearance` is called on `queue`. Nil when the machine can't.
    init?(queue: DispatchQueue, onAppearance: @escaping @Sendable () -> Void) {
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { return nil }
        self.onAppearance = onAppearance
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setEventHandler { [weak self] in self?.read() }
        source.setCancelHandler { [descriptor] in close(descriptor) }
        source.resume()
    }

    deinit { source.cancel() }

    /// Watches for these files from now on: in their folders, or where those are yet to be made, in the folders above.
    func watch(_ paths: [String]) {
        var found: [Int32: Set<String>] = [:]
        for path in paths {
            var parts = path.split(separator: "/").map(String.init)
            while let name = parts.popLast() {
                let number = inotify_add_watch(
                    descriptor, "/" + parts.joined(separator: "/"), UInt32(IN_CREATE) | UInt32(IN_MOVED_TO))
                guard number >= 0 else { continue }
                found[number, default: []].insert(name)
                break
            }
        }
        for number in names.keys where found[number] == nil { inotify_rm_watch(descriptor, number) }
        names = found
    }

    private func read() {
        var hasAppeared = false
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            while true {
                let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                guard count > 0 else { return }
                if contains(UnsafeRawBufferPointer(buffer).prefix(count)) { hasAppeared = true }
            }
        }
        if hasAppeared { onAppearance() }
    }

    /// Whether one of the events is of a name that counts, or of a folder that has gone.
    private func contains(_ events: Slice<UnsafeRawBufferPointer>) -> Bool {
        var rest = events
        let header = MemoryLayout<inotify_event>.size
        var isWanted = false
        while rest.count >= header {
            let event = rest.loadUnaligned(as: inotify_event.self)
            let size = header + Int(event.len)
            guard rest.count >= size else { break }
            let name = String(decoding: rest.dropFirst(header).prefix(Int(event.len)).prefix { $0 != 0 }, as: UTF8.self)
            // A folder that goes ends its watch: whoever hears of it watches again, from the folders above.
            if let wanted = names[event.wd], wanted.contains(name) || event.mask & UInt32(IN_IGNORED) != 0 {
                isWanted = true
            }
            rest = rest.dropFirst(size)
        }
        return isWanted
    }
}
