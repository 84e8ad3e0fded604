import BaseKit
import Foundation
import NetworkEmulation
import Synchronization

/// One call of several, each in a process of its own, measured.
struct GroupRun: Sendable {
    /// How long the call is let be before it is measured, how long its cost is measured, and how long each bad link lasts.
    struct Times: Sendable {
        var settling = 12.0
        var cost = 10.0
        var link = 12.0
    }

    /// The film that is everybody's camera.
    var film: String
    var times: Times
    /// Whether the last one is on the other side of an emulated link, which becomes worse.
    var hasLink: Bool
    /// The program of a Janus that media go over; without one they go directly.
    var janus: String?

    /// The links that the last one is behind: the first aim is pictures a second, the second how long they stand still.
    static let lossy = LinkCondition(delay: 20, loss: 0.05)
    static let narrow = LinkCondition(delay: 20, rate: 400_000)

    /// Makes such a call and measures it. `viewers`: how many see and hear the others, the last ones; the rest only send to a Janus.
    /// Throws ``BenchError``.
    func measure(people: Int, viewers: Int) async throws -> GroupFigures {
        let emulator = hasLink ? try NetworkEmulator(LinkCondition(delay: 20)) : nil
        defer { emulator?.stop() }
        var server: MeasuredJanus?
        if let janus { server = try await MeasuredJanus.start(janus, in: emulator?.first) }
        defer { server?.stop() }
        let company = GroupCompany(room: server?.room(), firstViewer: people - viewers + 1)
        defer { company.stop() }
        for number in 1...people {
            let side = number == people ? emulator?.second : emulator?.first
            try company.start(UInt8(number), film: film, in: side?.prefix ?? [])
        }
        let ends = company.ends
        for end in ends { try await end.ready() }
        // What a program does at its start is over.
        try await Task.sleep(for: .seconds(2))
        try await company.makeRoom()
        for number in 1..<people { try await company.join(ends[number - 1], ends[..<(number - 1)]) }
        if people > 2 { try await Task.sleep(for: .seconds(times.settling)) }
        var figures = GroupFigures(people: people, viewers: viewers)
        figures.joining = try await company.join(ends[people - 1], ends[..<(people - 1)])
        try await Task.sleep(for: .seconds(times.settling))
        try await cost(ends.suffix(viewers), server, into: &figures)
        guard let emulator, let last = ends.last else { return figures }
        emulator.change(to: Self.lossy)
        figures.lossyPictures = try await pictures(between: last, ends.dropLast()).rate
        emulator.change(to: LinkCondition(delay: 20))
        try await Task.sleep(for: .seconds(times.settling))
        _ = try await pictures(between: last, ends.dropLast(), for: 0.1)
        emulator.change(to: Self.narrow)
        figures.narrowGap = try await pictures(between: last, ends.dropLast()).gap
        return figures
    }

    private func cost(_ ends: ArraySlice<GroupEnd>, _ server: MeasuredJanus?, into figures: inout GroupFigures)
        async throws
    {
        var before: [[MemberCounts]] = []
        for end in ends { before.append(try await end.counts()) }
        let serverBefore = server.map { ProcessTree.read(root: $0.process) }
        let (trees, start) = (ends.map { ProcessTree.read(root: $0.process) }, Instant.now)
        try await Task.sleep(for: .seconds(times.cost))
        let serverAfter = server.map { ProcessTree.read(root: $0.process) }
        let (later, seconds) = (ends.map { ProcessTree.read(root: $0.process) }, (Instant.now - start).inSeconds)
        if let serverBefore, let serverAfter {
            figures.janusProcessor = (serverAfter.processorSeconds - serverBefore.processorSeconds) / seconds
        }
        var after: [[MemberCounts]] = []
        for end in ends { after.append(try await end.counts()) }
        let count = Double(ends.count)
        figures.processor = zip(later, trees).map { $0.processorSeconds - $1.processorSeconds }.reduce(0, +)
        figures.processor /= count * seconds
        figures.memory = later.map { Double($0.proportionalBytes) }.reduce(0, +) / count / 1_048_576
        figures.threads = Double(ends.map { Self.threads(of: $0.process) }.reduce(0, +)) / count
        let pairs = zip(after, before).flatMap { zip($0, $1) }
        figures.pictures = pairs.map { Double($0.pictures - $1.pictures) / seconds }.min() ?? 0
        figures.height = pairs.map(\.0.height).min() ?? 0
        figures.rate = pairs.map { Double($0.bytes - $1.bytes) }.reduce(0, +) * 8 / 1_000 / seconds / count
        figures.refused = pairs.map(\.0.refused).reduce(0, +)
        guard pairs.allSatisfy({ $0.sound > $1.sound }) else { throw BenchError.call("somebody was not heard") }
    }

    /// What is shown between one and the others while the link stays as it is: the fewest pictures a second of any, and the longest time
    /// that any stood still.
    private func pictures(
        between one: GroupEnd, _ others: ArraySlice<GroupEnd>, for time: Double? = nil
    ) async throws -> (rate: Double, gap: Int) {
        func counts() async throws -> [MemberCounts] {
            var all = try await one.counts()
            for other in others { all += try await other.counts().filter { $0.member == one.member } }
            return all
        }
        let (before, start) = (try await counts(), Instant.now)
        try await Task.sleep(for: .seconds(time ?? times.link))
        let (after, seconds) = (try await counts(), (Instant.now - start).inSeconds)
        let rates = zip(after, before).map { Double($0.pictures - $1.pictures) / seconds }
        return (rates.min() ?? 0, after.map(\.gap).max() ?? 0)
    }

    /// The threads of a process and all that come from it.
    private static func threads(of root: Int32) -> Int {
        ProcessTree.family(of: root).reduce(0) { sum, process in
            let names = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")
            return sum + (names?.count ?? 0)
        }
    }
}

/// The members of a measured call, who hear of each other through this process.
private final class GroupCompany: Sendable {
    private let members = Mutex<[UInt8: GroupEnd]>([:])
    private let room: MeasuredRoom?
    private let firstViewer: Int

    /// `room`: what media go over, if not directly; `firstViewer`: from which on members see and hear the others.
    init(room: MeasuredRoom?, firstViewer: Int) { (self.room, self.firstViewer) = (room, firstViewer) }

    var ends: [GroupEnd] { members.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

    func start(_ member: UInt8, film: String, in prefix: [String]) throws {
        let end = try GroupEnd(member, film: film, in: prefix) { [weak self] order, other in
            self?.members.withLock { $0[other] }?.tell(order)
        }
        members.withLock { $0[member] = end }
    }

    /// Has the first one make the room, if media go over one.
    func makeRoom() async throws {
        guard let room, let first = ends.first else { return }
        first.tell(.makeRoom(room))
        try await first.ready()
    }

    private func isViewer(_ end: GroupEnd) -> Bool { Int(end.member) >= firstViewer }

    /// Lets one join others; gives the milliseconds until it shows all of them, 0 if it shows nobody.
    @discardableResult
    func join(_ one: GroupEnd, _ others: ArraySlice<GroupEnd>) async throws -> Double {
        let seeing = others.filter(isViewer)
        one.tell(.join)
        if isViewer(one) { one.tell(.meet(others.map(\.member))) }
        for other in seeing { other.tell(.meet([one.member])) }
        if let room {
            one.tell(.enter(room))
        } else {
            for other in others { one.tell(.makeOffer(to: other.member)) }
        }
        guard isViewer(one), !others.isEmpty else { return 0 }
        let time = try await one.complete()
        for other in seeing { _ = try await other.complete() }
        return time
    }

    func stop() { for end in ends { end.stop() } }
}
