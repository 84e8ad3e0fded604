import BaseKit
import Foundation

/// A small file beside the store that says how this agent left the store's files, to tell them from a copy that somebody has
/// put back: whoever writes a file changes its time of change (`st_ctime`), which no program can set.
///
/// After a death of the process the files were last changed when the agent last said that it would. After an end of the
/// machine the last words may be missing, so that they are only compared roughly.
///
/// `Sendable`: used inside the store's transactions and before and after them, one at a time; the state is locked.
final class StoreWitness: Sendable {
    /// What the file says.
    private struct Testimony: Codable, Equatable {
        /// Changes whenever the machine starts.
        var boot: String
        /// The last time at which the agent was about to change the store or had done so: nanoseconds since 1970.
        var time: Int64
        /// The main file as it was closed; nil while it is open.
        var closed: Stamp?
        /// The machine had ended before, and nobody has acted on that.
        var isCut = false
    }

    /// A file's identity and its last change.
    private struct Stamp: Codable, Equatable {
        var inode: UInt64
        var size: Int64
        /// Nanoseconds since 1970.
        var changed: Int64

        init?(_ path: String) {
            var information = stat()
            guard stat(path, &information) == 0 else { return nil }
            inode = UInt64(information.st_ino)
            size = Int64(information.st_size)
            changed = Int64(information.st_ctim.tv_sec) * 1_000_000_000 + Int64(information.st_ctim.tv_nsec)
        }
    }

    static let fileName = "agent.witness"
    /// The testimony has one size, so that no room is needed to write it again.
    private static let size = 512
    private static let second: Int64 = 1_000_000_000
    /// A commit takes less.
    private static let longestCommit = 10 * second
    /// The testimony is synced to the disk before a change that comes so long after the last time.
    private static let syncInterval = 60 * second
    /// How far a machine that ended can have changed the store after what is on the disk of the testimony.
    private static let longestLag = syncInterval + 6 * longestCommit

    /// What the files look like.
    let files: StoreFiles

    private let store: String
    private let path: String
    private let boot: String
    private struct State {
        var descriptor: Int32 = -1
        /// Of touched files nothing is said.
        var files: StoreFiles
        /// The last testimony's time, and when it was last synced.
        var time: Int64 = 0
        var synced: Int64?
    }
    private let state: Lock<State>

    /// - Parameter store: the path of the store's main file, which is not open yet.
    init(of store: String) {
        self.store = store
        path = (store as NSString).deletingLastPathComponent + "/" + Self.fileName
        let boot = (try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)) ?? ""
        self.boot = boot
        files = Self.testimony(path).map { Self.judge($0, store, boot) } ?? .touched
        state = Lock(State(files: files))
    }

    /// The files can be told from copies from here on.
    func begin() { note() }

    /// From here on the files are this agent's own work: what happened to them before has been dealt with.
    func vouch() {
        state.withLock { $0.files = .untouched }
        note()
    }

    /// The store is about to change, or has changed.
    func note() { write(closed: nil) }

    /// The store's files are closed.
    func close() {
        // What could not be brought from the log into the main file is read from there at the next start.
        write(closed: Self.log(of: store) == nil ? Stamp(store) : nil, isSynced: true)
        state.withLock { state in
            if state.descriptor >= 0 { Foundation.close(state.descriptor) }
            state.descriptor = -1
            state.files = .touched
        }
    }

    deinit { state.withLock { if $0.descriptor >= 0 { Foundation.close($0.descriptor) } } }

    // MARK: The file

    private static func testimony(_ path: String) -> Testimony? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode(Testimony.self, from: data)
    }

    /// The log of a store, if there is anything in it.
    private static func log(of store: String) -> Stamp? {
        Stamp(store + "-wal").flatMap { $0.size > 0 ? $0 : nil }
    }

    private static func judge(_ testimony: Testimony, _ store: String, _ boot: String) -> StoreFiles {
        guard let main = Stamp(store), !boot.isEmpty else { return .touched }
        let log = log(of: store)
        let plain: StoreFiles = testimony.isCut ? .cut : .untouched
        if let closed = testimony.closed { return closed == main && log == nil ? plain : .touched }
        let lag = max(main.changed, log?.changed ?? 0) - testimony.time
        if testimony.boot == boot { return lag <= longestCommit ? plain : .touched }
        return lag <= longestLag ? .cut : .touched
    }

    /// What can't be written is missed at the next start, which then takes the files for touched.
    private func write(closed: Stamp?, isSynced: Bool = false) {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let time = Int64(now.tv_sec) * Self.second + Int64(now.tv_nsec)
        state.withLock { state in
            guard state.files != .touched else { return }
            // A clock that was set back does not make the files look changed later.
            state.time = max(state.time, time)
            let testimony = Testimony(boot: boot, time: state.time, closed: closed, isCut: state.files == .cut)
            guard var bytes = (try? JSONEncoder().encode(testimony)).map({ [UInt8]($0) }), bytes.count <= Self.size
            else { return }
            bytes += [UInt8](repeating: UInt8(ascii: " "), count: Self.size - bytes.count)
            if state.descriptor < 0 {
                state.descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            }
            guard state.descriptor >= 0, pwrite(state.descriptor, bytes, bytes.count, 0) == bytes.count else { return }
            let isFresh = state.synced.map { state.time - $0 < Self.syncInterval } ?? false
            if isSynced || !isFresh, fsync(state.descriptor) == 0 { state.synced = state.time }
        }
    }
}
